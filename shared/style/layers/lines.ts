// Lines, bottom to top: contours; limits of areas, routes and cables; coast and shore works, so that no limit
// hides the coast; the safety contour; structures; boundaries of cells.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { IS_CERTAIN, IS_UNCERTAIN, isDeeper, isSafetyEdge } from '../depth-shading.ts';
import {
  all,
  any,
  type Expression,
  expression,
  get,
  has,
  is,
  not,
  numberOr,
} from '../expressions.ts';
import { either, isSet } from '../live-choices.ts';
import { isWanted } from '../options.ts';
import type { Palette } from '../palette.ts';
import { type Drawing, iconsAlong, line } from './layer.ts';

const LOW = [3.6, 1.8] as const;
const DASH = [6, 3] as const;
const DOT = [1, 2] as const;

/** CATPIP: outfall, intake, sewer, bubbler. Other pipelines supply something, and can be dangerous to anchor on. */
const DRAINS = [2, 3, 4, 5];
/** CATMOR: chain or cable. */
const CHAINS = [6];

/** Class, colour token, width in pixels, dash; another colour for values of `cat`. */
type PlainLine = readonly [
  ...[string, keyof Palette, number, (readonly number[] | undefined)?],
  (readonly [readonly number[], keyof Palette])?,
];

/** Limits of areas, routes and tracks, in drawing order. They are below the coast, because many follow it. */
const LIMITS: readonly PlainLine[] = [
  ['BUAARE', 'LANDF', 1],
  ['VEGATN', 'LANDF', 1, DOT],
  ['PRDARE', 'LANDF', 1],
  ['SQUARE', 'LANDF', 1],
  ['SLOGRD', 'LANDF', 1],
  ['SNDWAV', 'CHGRF', 1, DASH],
  ['SBDARE', 'CHGRD', 1],
  ['WATTUR', 'CHGRD', 1, DASH],
  ['SWPARE', 'CHGRD', 1, DASH],
  ['ARCSLN', 'CHMGD', 1, DASH],
  ['ASLXIS', 'CHMGD', 1, DASH],
  ['SUBTLN', 'CHMGD', 1, DASH],
  ['RADRNG', 'CHMGD', 1, DASH],
  ['FRPARE', 'CHMGD', 1, DASH],
  ['CHKPNT', 'CHMGD', 1, DASH],
  ['HRBFAC', 'CHGRD', 1, DASH],
  ['SMCFAC', 'CHGRD', 1, DASH],
  ['MAGVAR', 'CHMGF', 1, DASH],
  ['LOCMAG', 'CHMGF', 1, DASH],
  ['TS_FEB', 'CHGRD', 1],
  ['TS_PAD', 'CHGRD', 1],
  ['M_NSYS', 'CHGRD', 1.5, [8, 4]],
  ['TSEZNE', 'TRFCF', 1],
  ['OTHER', 'CHMGD', 1, DASH],
  ['CBLSUB', 'CHMGD', 1, [4, 2]],
  ['CBLARE', 'CHMGD', 1, DASH],
  ['PIPSOL', 'CHMGD', 1.5, [4, 2], [DRAINS, 'CHBLK']],
  ['PIPARE', 'CHMGD', 1, DASH],
  ['ACHARE', 'CHMGF', 2, DASH],
  ['ACHBRT', 'CHMGF', 1, DASH],
  ['RESARE', 'CHMGD', 2, DASH],
  ['CTNARE', 'CHMGD', 1, DASH],
  ['PRCARE', 'TRFCF', 2, DASH],
  ['DMPGRD', 'CHMGD', 1, DASH],
  ['DRGARE', 'CHGRF', 1, DASH],
  ['MIPARE', 'CHMGD', 1, DASH],
  ['SPLARE', 'CHMGD', 1, DASH],
  ['FAIRWY', 'CHGRD', 1, DASH],
  ['HRBARE', 'CHMGF', 1, DASH],
  ['ICNARE', 'CHMGD', 1, DASH],
  ['CTSARE', 'CHMGD', 1, DASH],
  ['FSHGRD', 'CHGRF', 1, DASH],
  ['FSHFAC', 'CHGRF', 1, DASH],
  ['MARCUL', 'CHGRD', 1, DASH],
  ['WEDKLP', 'CHGRF', 1, DASH],
  ['OSPARE', 'CHMGD', 1, DASH],
  ['PILBOP', 'CHMGD', 1, DASH],
  ['ISTZNE', 'TRFCF', 2, DASH],
  ['TSSLPT', 'TRFCD', 1, DASH],
  ['TSSBND', 'TRFCD', 1, DASH],
  ['TSELNE', 'TRFCF', 6],
  ['TSSRON', 'TRFCD', 1, DASH],
  ['TSSCRS', 'TRFCD', 1, DASH],
  ['DWRTPT', 'TRFCD', 2, DASH],
  ['DWRTCL', 'TRFCD', 1, DASH],
  ['TWRTPT', 'TRFCD', 1, DASH],
  ['RCRTCL', 'CHMGD', 1, DASH],
  ['RCTLPT', 'CHMGD', 1, DASH],
  ['RECTRC', 'CHGRD', 1, DASH],
  ['NAVLNE', 'CHGRD', 1, [8, 4]],
  ['FERYRT', 'CHMGD', 1.5, [6, 4]],
  ['RADLNE', 'CHMGD', 1, DASH],
  ['RDOCAL', 'CHMGD', 1, DASH],
];

/** Structures, rivers and other features above the coast, in drawing order. */
const WORKS: readonly PlainLine[] = [
  ['LAKARE', 'CSTLN', 1],
  ['LAKSHR', 'CSTLN', 1],
  ['RIVBNK', 'CSTLN', 1],
  ['CANBNK', 'CSTLN', 1],
  ['TIDEWY', 'CHGRF', 1],
  ['DOCARE', 'CSTLN', 1],
  ['TUNNEL', 'CHGRD', 1.5, DASH],
  ['GRIDRN', 'CHBLK', 1],
  ['LNDELV', 'LANDF', 1],
  ['ICEARE', 'CSTLN', 1, DASH],
  ['CRANES', 'LANDF', 1],
  ['SILTNK', 'LANDF', 1],
  ['LNDMRK', 'LANDF', 1],
  ['FORSTC', 'LANDF', 2],
  ['OFSPLF', 'CSTLN', 2],
  ['PYLONS', 'LANDF', 1],
  ['RIVERS', 'CHBLK', 1],
  ['CANALS', 'CHBLK', 1],
  ['RAPIDS', 'CHGRD', 2],
  ['WATFAL', 'CHGRD', 2],
  ['RAILWY', 'LANDF', 2, [4, 1]],
  ['ROADWY', 'LANDF', 1.5],
  ['RUNWAY', 'LANDF', 3],
  ['DAMCON', 'LANDF', 2],
  ['DYKCON', 'LANDF', 2],
  ['CAUSWY', 'CHGRD', 2],
  ['FNCLNE', 'LANDF', 1, DASH],
  ['SLOTOP', 'LANDF', 1, [2, 1]],
  ['GATCON', 'CHBLK', 2],
  ['LOKBSN', 'CSTLN', 1],
  ['PONTON', 'CSTLN', 1],
  ['HULKES', 'CSTLN', 1],
  ['FLODOC', 'CSTLN', 1],
  ['DRYDOC', 'CSTLN', 1],
  ['MORFAC', 'CSTLN', 1, undefined, [CHAINS, 'CHMGF']],
  ['BERTHS', 'CHGRF', 1],
  ['BRIDGE', 'CHGRD', 3],
  ['BUISGL', 'LANDF', 1],
  ['CONVYR', 'CHGRD', 2],
  ['OILBAR', 'CHBLK', 2],
  ['LOGPON', 'CHBLK', 1, DASH],
  ['CBLOHD', 'CHGRD', 2, [8, 2]],
  ['PIPOHD', 'CHGRD', 2, [8, 2]],
];

/**
 * Edges of dangers: dotted if always under water, solid if dry, otherwise dashed: if deeper than the safety depth,
 * covering and uncovering, or harmless.
 */
const DANGERS = ['OBSTRN', 'WRECKS', 'UWTROC'] as const;

/** CATCBL: mooring cable. */
const MOORING_CABLE = 6;

/** CATOBS. */
const GROUND_TACKLE = 9;

/** CATCOA of shores without a definite line: glacier, mangrove, marsh, ice. */
const IS_SOFT = expression('match', numberOr('cat', 0), [6, 7, 8, 10], true, false);

/** Classes of tracks with arrows in the direction of traffic (`k`). They are solid if based on fixed marks (CATTRK). */
const TRACKS = ['RECTRC', 'RCRTCL'];
const ON_MARKS = is('cat', 1);

const byCategory = (values: readonly number[], one: string, other: string): Expression =>
  expression('match', numberOr('cat', 0), values, one, other);

export function lineLayers(drawing: Drawing): LayerSpecification[] {
  const { colors } = drawing;
  const shore = { color: colors.CSTLN, width: 2, base: true };
  const isDeep = isDeeper(drawing.options);
  const contour = { color: colors.DEPCN, width: 1 };
  const plain = ([name, token, width, dash, other]: PlainLine) =>
    line(`${name}-line`, name, {
      color: other ? byCategory(other[0], colors[other[1]], colors[token]) : colors[token],
      width,
      ...(dash === undefined ? {} : { dash }),
    });
  const limit = (row: PlainLine) => {
    const [name, token, width, dash] = row;
    if (!TRACKS.includes(name)) return [plain(row)];
    const stroke = { color: colors[token], width };
    return [
      line(`${name}-line`, name, { ...stroke, dash: dash ?? DASH, filter: not(ON_MARKS) }),
      line(`${name}-line-solid`, name, { ...stroke, filter: ON_MARKS }),
    ];
  };
  // A low accuracy of position replaces the line style of a shore (S-52 QUALIN01 and SLCONS03).
  const surveyed = (ln: number) => all(is('ln', ln), IS_CERTAIN);
  const certainOrLow = (name: string, filter = IS_CERTAIN) => [
    line(`${name}-line`, name, { ...shore, filter }),
    line(`${name}-line-low`, name, { ...shore, dash: LOW, filter: IS_UNCERTAIN }),
  ];
  return [
    line('DEPCNT-line', 'DEPCNT', { ...contour, filter: IS_CERTAIN }),
    line('DEPCNT-line-low', 'DEPCNT', { ...contour, dash: LOW, filter: IS_UNCERTAIN }),
    ...LIMITS.flatMap(limit),
    ...boundaryMarks(drawing),
    ...trackMarks(),
    iconsAlong('CBLSUB-mark', 'CBLSUB', 'CBLSUB06', 90, not(is('cat', MOORING_CABLE))),
    iconsAlong('PIPSOL-mark', 'PIPSOL', byCategory(DRAINS, 'PIPSOL06', 'PIPSOL05'), 90),
    line('bg_coast-line', 'bg_coast', { color: colors.CSTLN, width: 1, base: true }),
    ...certainOrLow('LNDARE'),
    ...certainOrLow('COALNE', all(IS_CERTAIN, not(IS_SOFT))),
    line('COALNE-line-dash', 'COALNE', {
      ...shore,
      width: 1,
      dash: DASH,
      filter: all(IS_CERTAIN, IS_SOFT),
    }),
    ...certainOrLow('SLCONS', surveyed(2)),
    line('SLCONS-line-dash', 'SLCONS', { ...shore, dash: DASH, filter: surveyed(1) }),
    line('SLCONS-line-dot', 'SLCONS', { ...shore, dash: DOT, filter: surveyed(0) }),
    ...safetyLayers(drawing),
    ...WORKS.map(plain),
    ...DANGERS.flatMap((name) => [
      line(`${name}-line-dot`, name, {
        color: colors.CHBLK,
        width: 2,
        dash: DOT,
        filter: all(is('ln', 0), not(isDeep)),
      }),
      line(`${name}-line-dash`, name, {
        color:
          name === 'OBSTRN'
            ? byCategory([GROUND_TACKLE], colors.CHMGD, colors.CSTLN)
            : colors.CSTLN,
        width: 2,
        dash: [3, 2],
        filter: any(is('ln', 1), all(is('ln', 0), isDeep)),
      }),
      line(`${name}-line`, name, { color: colors.CSTLN, width: 2, filter: is('ln', 2) }),
    ]),
    // Points have their own mark (LOWACC).
    ...['OBSTRN', 'WRECKS'].map((name) =>
      iconsAlong(`${name}-mark`, name, 'LOWACC41', 60, IS_UNCERTAIN),
    ),
    ...borderLayers(drawing),
  ];
}

function trackMarks(): LayerSpecification[] {
  const arrows = (name: string, way: Expression) => expression('concat', `${name}-`, way);
  const ferry = byCategory([2], 'FERYRT02', 'FERYRT01');
  return [
    ...TRACKS.map((name) =>
      iconsAlong(`${name}-mark`, name, arrows(name, get('k')), 120, has('k')),
    ),
    iconsAlong(
      'DWRTCL-mark',
      'DWRTCL',
      arrows('DWRTCL', expression('coalesce', get('k'), 'none')),
      120,
    ),
    iconsAlong('FERYRT-mark', 'FERYRT', ferry, 200),
  ];
}

/** Areas whose symbolized limits show a restriction or warning (`bd`). */
const BOUNDED = 'RESARE ACHARE CTNARE PRCARE DMPGRD MIPARE OSPARE'.split(' ');

/** Signs along limits (symbolized boundaries of S-52). */
function boundaryMarks({ options }: Drawing): LayerSpecification[] {
  if (options.boundaries !== 'symbolized') return [];
  return [
    ...BOUNDED.map((name) =>
      iconsAlong(`${name}-mark`, name, expression('concat', 'LIMIT-', get('bd')), 100, has('bd')),
    ),
    iconsAlong('CBLARE-mark', 'CBLARE', 'CBLSUB06', 90),
    iconsAlong('PIPARE-mark', 'PIPARE', 'PIPSOL05', 90),
  ];
}

function safetyLayers({ options, colors }: Drawing): LayerSpecification[] {
  const safety = { color: colors.DEPSC, width: 2, base: true };
  const edge = isSafetyEdge(options);
  return [
    line('DEPEDGE-safety', 'DEPEDGE', { ...safety, filter: all(edge, IS_CERTAIN) }),
    line('DEPEDGE-safety-low', 'DEPEDGE', {
      ...safety,
      dash: LOW,
      filter: all(edge, IS_UNCERTAIN),
    }),
  ];
}

function borderLayers({ options, colors }: Drawing): LayerSpecification[] {
  const visibility = {
    visibility: either(isSet(options, 'showEncBoundaries'), 'visible', 'none'),
  };
  const shown = (made: LayerSpecification) =>
    ({ ...made, layout: { ...made.layout, ...visibility } }) as LayerSpecification;
  const hasLimits = options.showMaritimeBoundaries !== 'false';
  const maritime = [
    // Thinner than the lines of charts, because the background has a scale of 1:10 million.
    line('bg_maritime_line-line', 'bg_maritime_line', {
      color: colors.CHMGD,
      width: 1,
      dash: [8, 3, 1, 3],
      base: true,
    }),
    line('maritime_line-line', 'maritime_line', {
      color: colors.CHMGD,
      width: 1.5,
      dash: [8, 3],
      base: true,
    }),
  ].filter(({ id }) => isWanted(options, id, hasLimits));
  return [
    ...maritime,
    shown(
      line('coverage_line-line', 'coverage_line', {
        color: colors.CHGRD,
        width: 1,
        base: true,
        filter: expression('!=', get('k'), 'scale'),
      }),
    ),
    shown(
      line('coverage_line-scale', 'coverage_line', {
        color: colors.CHGRD,
        width: 1,
        dash: DASH,
        base: true,
        filter: is('k', 'scale'),
      }),
    ),
  ];
}
