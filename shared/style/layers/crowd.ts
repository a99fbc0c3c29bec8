// Crowdsourced depths: translucent cells and texts in the magenta of additional information, so that they
// cannot be mistaken for the official chart. They have their own source.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { plainBounds } from '../../chart/bounds.ts';
import type { Manifest } from '../../chart/manifest.ts';
import { CROWD_NOTICE } from '../../crowd/bin.ts';
import { CROWD_LAYER, CROWD_POINT_LAYER } from '../../crowd/bin-layer.ts';
import { isShallow, METERS_PER_UNIT, SAME_DEPTH_METERS } from '../depth-text.ts';
import { type Expression, expression, get, has } from '../expressions.ts';
import { byUnits } from '../live-choices.ts';
import { type CrowdTiles, isWanted, type StyleOptions } from '../options.ts';
import type { Drawing } from './layer.ts';

export const CROWD_SOURCE = 'crowdDepth';
export const CROWD_FILL = `${CROWD_LAYER}-fill`;
const CROWD_OUTLINE = `${CROWD_LAYER}-line`;
const CROWD_TEXT = `${CROWD_POINT_LAYER}-label`;
const CROWD_SHOAL = `${CROWD_POINT_LAYER}-shoal`;
const CROWD_LAYERS = [CROWD_FILL, CROWD_OUTLINE, CROWD_TEXT, CROWD_SHOAL];

/** Limits of the classes of 95 % uncertainty, metres. */
export const UNCERTAINTY_LIMITS = [0.5, 1, 2] as const;
/** Differences from the chart below this are not shown in colour, metres. */
const SAME_AS_CHARTED = 0.5;
/** From this zoom, cells are large enough for texts. */
const TEXT_ZOOM = 12;

/** The tiles of a published archive of depths, for the addresses of a style. */
export const crowdTiles = (
  template: string,
  { bounds, datasets }: Pick<Manifest, 'bounds' | 'datasets'>,
): CrowdTiles => ({
  template,
  bounds: plainBounds(bounds),
  attribution: [CROWD_NOTICE, ...datasets.map((set) => set.shortDescription)].join(' · '),
});

type View = Exclude<StyleOptions['showCrowdDepth'], 'false'>;

/** What the layers show; `undefined` if they are not needed. */
export function crowdView(options: StyleOptions): View | undefined {
  if (options.showCrowdDepth !== 'false') return options.showCrowdDepth;
  return CROWD_LAYERS.some((id) => isWanted(options, id, false)) ? 'depths' : undefined;
}

/** Cells, below symbols and soundings of the chart. */
export function crowdCells({ options, colors, addresses }: Drawing): LayerSpecification[] {
  const view = crowdView(options);
  if (view === undefined || addresses.crowd === undefined) return [];
  const [color, opacity] = cellColor(view, options, colors);
  return [
    {
      ...ofCells,
      id: CROWD_FILL,
      type: 'fill',
      paint: { 'fill-color': color, 'fill-opacity': opacity, 'fill-antialias': false },
    },
    {
      ...ofCells,
      id: CROWD_OUTLINE,
      type: 'line',
      minzoom: TEXT_ZOOM,
      paint: { 'line-color': colors.CHMGD, 'line-width': 0.5, 'line-opacity': 0.6 },
    },
  ] as LayerSpecification[];
}

/** Texts of the cells, and rings around possible shoals. */
export function crowdMarks({ options, colors, fonts, addresses }: Drawing): LayerSpecification[] {
  const view = crowdView(options);
  if (view === undefined || addresses.crowd === undefined) return [];
  return [
    {
      ...ofCentres,
      id: CROWD_SHOAL,
      type: 'circle',
      filter: has('diff'),
      paint: {
        'circle-radius': expression('interpolate', ['linear'], ['zoom'], 8, 3, 15, 12),
        'circle-opacity': 0,
        'circle-stroke-color': colors.CHRED,
        'circle-stroke-width': 2,
      },
    },
    {
      ...ofCentres,
      id: CROWD_TEXT,
      type: 'symbol',
      minzoom: TEXT_ZOOM,
      ...(view === 'differences' ? { filter: has('diff') } : {}),
      layout: {
        'text-field': cellText(view, options),
        'text-font': fonts.italic,
        'text-size': 11,
        'text-padding': 4,
        // Of neighbours, the shoalest is shown.
        'symbol-sort-key': get('depth'),
      },
      paint: {
        'text-color': colors.CHMGD,
        'text-halo-color': colors.TXHAL,
        'text-halo-width': 1.25,
      },
    },
  ] as LayerSpecification[];
}

const ofCells = { source: CROWD_SOURCE, 'source-layer': CROWD_LAYER } as const;
const ofCentres = { source: CROWD_SOURCE, 'source-layer': CROWD_POINT_LAYER } as const;

/** Colour and opacity of a cell. */
function cellColor(
  view: View,
  options: StyleOptions,
  colors: Drawing['colors'],
): [unknown, unknown] {
  if (view === 'uncertainty') {
    const [small, medium, large] = UNCERTAINTY_LIMITS;
    const classes = [small, colors.CHYLW, medium, colors.CHCOR, large, colors.CHRED];
    return [expression('step', get('unc'), colors.CHGRN, ...classes), 0.45];
  }
  if (view === 'differences') {
    const shoaler = expression(
      '-',
      expression('coalesce', get('charted'), get('median')),
      get('median'),
    );
    const classes = [-SAME_AS_CHARTED, colors.CHGRD, SAME_AS_CHARTED, colors.CHRED];
    const compared = expression('step', shoaler, colors.RESBL, ...classes);
    return [
      // A possible shoal can be in another part than the depths of the cell.
      expression('case', has('diff'), colors.CHRED, compared),
      expression('case', expression('any', has('charted'), has('diff')), 0.45, 0.1),
    ];
  }
  return [colors.CHMGF, expression('case', isShallow('depth', options), 0.65, 0.25)];
}

function cellText(view: View, options: StyleOptions): Expression {
  if (view === 'depths') return inUnits(options, 'depth', 'floor');
  const [sign, name] = view === 'uncertainty' ? ['±', 'unc'] : ['−', 'diff'];
  return expression('concat', sign, inUnits(options, name!, 'ceil'));
}

/** Metres and fathoms with one decimal, feet without. @param rounding towards the safe side */
const inUnits = (options: StyleOptions, name: string, rounding: 'floor' | 'ceil'): Expression =>
  byUnits(options, (units) => {
    const scale = (units === 'feet' ? 1 : 10) / METERS_PER_UNIT[units];
    const margin = rounding === 'floor' ? SAME_DEPTH_METERS : -SAME_DEPTH_METERS;
    const scaled = expression(rounding, expression('+', expression('*', get(name), scale), margin));
    return expression('to-string', units === 'feet' ? scaled : expression('/', scaled, 10));
  });
