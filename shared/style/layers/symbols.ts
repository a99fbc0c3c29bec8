// Symbols at points, bottom to top: areas, structures, services, sectors of lights. The tile build selects the
// images (`sy`). Dangers are in dangers.ts, aids to navigation in aids.ts.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { SIGN_PLACES } from '../../chart/sign-places.ts';
import { expression, get, has, numberOr } from '../expressions.ts';
import { either, isSet } from '../live-choices.ts';
import { markImage } from './aids.ts';
import { type Drawing, icon } from './layer.ts';

/** Classes with a symbol, in drawing order, below dangers. */
const STRUCTURES = [
  'PILPNT',
  'CTRPNT',
  'LNDARE',
  'LNDRGN',
  'RIVERS',
  'RAPIDS',
  'WATFAL',
  'DAMCON',
  'SLCONS',
  'ROADWY',
  'CONVYR',
  'PRDARE',
  'MORFAC',
  'BUISGL',
  'SILTNK',
  'CRANES',
  'GATCON',
  'BRIDGE',
  'HULKES',
  'PYLONS',
  'LNDMRK',
  'LNDELV',
  'SLOGRD',
  'BUAARE',
  'AIRARE',
  'FORSTC',
  'VEGATN',
  'RUNWAY',
  'TUNNEL',
  'OFSPLF',
  'FSHFAC',
  'MARCUL',
  'BERTHS',
  'ACHBRT',
] as const;

const SERVICES = [
  'ACHARE',
  'RESARE',
  'CTNARE',
  'PRCARE',
  'DMPGRD',
  'PIPARE',
  'CTSARE',
  'MIPARE',
  'SPLARE',
  'ICNARE',
  'HRBFAC',
  'SMCFAC',
  'CGUSTA',
  'RSCSTA',
  'PILBOP',
  'CHKPNT',
  'RDOSTA',
  'RADSTA',
  'SISTAT',
  'SISTAW',
  'DISMAR',
  'NOTMRK',
  'LOCMAG',
  'MAGVAR',
] as const;

/** Classes whose symbol points along `or`, degrees clockwise from true north. */
const DIRECTED = [
  'RDOCAL',
  'TSSLPT',
  'DWRTPT',
  'RCTLPT',
  'TWRTPT',
  'TS_FEB',
  'TS_PAD',
  'CURENT',
  'RECTRC',
];

const hasSymbol = has('sy');
const direction = numberOr('or', 0);

/** Signs of overlapping areas are next to each other. The tile build sets their place (`sl`). */
const besideOthers = expression(
  'match',
  numberOr('sl', 0),
  ...SIGN_PLACES.flatMap((place, i) => (i === 0 ? [] : [i, expression('literal', place)])),
  expression('literal', SIGN_PLACES[0]),
);

export function symbolLayers(drawing: Drawing): LayerSpecification[] {
  const plain = (name: string) =>
    icon(`${name}-icon`, name, {
      filter: hasSymbol,
      // Some are buoys.
      ...(name === 'MORFAC' ? { image: markImage(drawing.options) } : {}),
    });
  return [
    icon('AREASYM-icon', 'AREASYM', {
      filter: hasSymbol,
      rotate: direction,
      layout: { 'icon-offset': besideOthers },
    }),
    ...['SNDWAV', 'WEDKLP', 'WATTUR', 'SPRING', 'SBDARE'].map(plain),
    ...STRUCTURES.map(plain),
    ...SERVICES.map(plain),
    ...DIRECTED.map((name) => icon(`${name}-icon`, name, { filter: hasSymbol, rotate: direction })),
    sectorLayer(drawing),
  ];
}

/** At lower zooms the sectors would hide the coast. */
const SECTORS_FROM_ZOOM = 7;

/** Arcs and legs of sector lights: rotated images, so that their size on the screen is constant. */
function sectorLayer({ options }: Drawing): LayerSpecification {
  return icon('LIGHTS_SECTOR-icon', 'LIGHTS_SECTOR', {
    image: get('i'),
    rotate: get('r'),
    minzoom: SECTORS_FROM_ZOOM,
    layout: { visibility: either(isSet(options, 'showLightSectors'), 'visible', 'none') },
  });
}
