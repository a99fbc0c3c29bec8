// Patterns and fills of areas above the ground: seabed, structures, traffic, dangers.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { isMarkedIsolated } from '../depth-shading.ts';
import { all, expression, get, has, is, not, numberOr } from '../expressions.ts';
import { isSet, safetyDepth } from '../live-choices.ts';
import { isWanted } from '../options.ts';
import { overscaleLayer } from './ground.ts';
import { type Drawing, fill, hiddenUnless, pattern, polygons, scaled } from './layer.ts';

/** Classes whose areas have a pattern (`pt`), which the tile build selects. */
const PATTERNED = ['SBDARE', 'FSHFAC', 'SNDWAV', 'ICEARE', 'VEGATN', 'LNDRGN'] as const;

/** Fixed and floating structures. Their outlines are line layers. */
const STRUCTURES = [
  'SLCONS',
  'PONTON',
  'HULKES',
  'FLODOC',
  'GATCON',
  'MORFAC',
  'PYLONS',
  'BRIDGE',
  'BUISGL',
  'SILTNK',
  'OFSPLF',
  'DAMCON',
  'DYKCON',
  'CAUSWY',
  'CRANES',
  'CONVYR',
  'LNDMRK',
  'FORSTC',
] as const;

const DANGERS = ['OBSTRN', 'WRECKS', 'UWTROC'] as const;
/** CATOBS of obstructions that have only a pattern or a limit: foul area, foul ground, ground tackle. */
const UNTINTED = [6, 7, 9];
/** Remains of a wreck (CATWRK) whose depths are those of harmless ground: no other attribute makes them a danger. */
const HARMLESS_REMAINS = all(
  is('cat', 3),
  expression('>', numberOr('dd', -15), 20),
  expression('<=', numberOr('ud', 0), -100),
);

export function areaLayers(drawing: Drawing): LayerSpecification[] {
  const { options, colors } = drawing;
  return [
    ...PATTERNED.map((name) => pattern(`${name}-pattern`, name, get('pt'), has('pt'))),
    fill('TSEZNE', colors.TRFCF, 0.35),
    ...(isWanted(options, 'bg_maritime_area-fill', options.showMaritimeBoundaries === 'full')
      ? [fill('bg_maritime_area', colors.CHMGF, 0.05)]
      : []),
    ...(isWanted(options, 'maritime_area-fill', options.showMaritimeBoundaries === 'full')
      ? [fill('maritime_area', colors.CHMGF, 0.08)]
      : []),
    overscaleLayer(drawing),
    hiddenUnless(
      isSet(options, 'showDataQuality'),
      pattern('M_QUAL-pattern', 'M_QUAL', get('pt'), has('pt')),
    ),
    ...STRUCTURES.map((name) =>
      fill(name, name === 'BRIDGE' ? colors.CHGRD : colors.CHBRN, name === 'BRIDGE' ? 0.5 : 1),
    ),
    ...DANGERS.map((name) => dangerFill(name, drawing)),
    // Foul ground, above the tint.
    pattern('OBSTRN-pattern', 'OBSTRN', get('pt'), has('pt')),
  ];
}

/**
 * The tint of dangerous areas (S-52 OBSTRN07 and WRECKS05). Only unsafe dangers have one: the tint of safe water would
 * cover shallower ground. An obstruction that is isolated always has the tint of very shallow water.
 */
function dangerFill(name: string, { options, colors }: Drawing): LayerSpecification {
  const isIsolated = isMarkedIsolated(options);
  const byVisibility = ['match', numberOr('ln', 0), 1, colors.DEPIT, 2, colors.CHBRN, colors.DEPVS];
  const isWreck = name === 'WRECKS';
  const color = isWreck ? byVisibility : expression('case', isIsolated, colors.DEPVS, byVisibility);
  const isUnsafe = expression('<=', expression('coalesce', get('dd'), -15), safetyDepth(options));
  const isTinted = isWreck
    ? not(HARMLESS_REMAINS)
    : expression('match', numberOr('cat', 0), UNTINTED, isIsolated, true);
  const filter = all(polygons, isUnsafe, isTinted);
  return { ...fill(name, color), id: `${name}-area`, filter: scaled(filter) } as LayerSpecification;
}
