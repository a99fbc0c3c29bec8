// Objects in a box of 20 m water, and their effects on navigability: the rows of `effects.test.ts`.

import type { SEA_FLAGS } from '../../../shared/route/sea.ts';
import type { ChartBuilder } from '../portray/chart-builder.ts';

export const NEVER = Number.NEGATIVE_INFINITY;
const CLOSED = ['structure', Number.NaN] as const;
export const WEST = 10;
export const SOUTH = 54;
export const HERE = [WEST + 0.01, SOUTH + 0.01] as const;
export const BESIDE = [WEST + 0.0135, SOUTH + 0.0135] as const;

type Draw = (chart: ChartBuilder) => void;
interface Row {
  readonly what: string;
  readonly draw: Draw;
  /** The safe depth at the object; 20 by default. */
  readonly depth?: number;
  readonly flags?: readonly (keyof typeof SEA_FLAGS)[];
  /** The safe clearance; none by default. */
  readonly clearance?: number;
  readonly bearing?: number;
  /** The kind, depth and radius of the edges; no edges by default. */
  readonly edge?: readonly [kind: string, depth: number, radius?: number];
}

type Words = Readonly<Record<string, string | number>>;
const area =
  (acronym: string, words: Words = {}): Draw =>
  (chart) =>
    chart.box(
      acronym,
      [HERE[0] - 0.002, HERE[1] - 0.002],
      [HERE[0] + 0.002, HERE[1] + 0.002],
      words,
    );
const line =
  (acronym: string, words: Words = {}): Draw =>
  (chart) => {
    const a = chart.node([HERE[0] - 0.002, HERE[1]]);
    const b = chart.node([HERE[0] + 0.002, HERE[1]]);
    chart.along(acronym, 'line', [chart.edge(a, b)], words);
  };
const point =
  (acronym: string, words: Words = {}, spatial: Words = {}): Draw =>
  (chart) =>
    void chart.point(acronym, HERE, words, spatial);

export const STANDING = ['LNDMRK', 'SILTNK', 'BUISGL', 'FORSTC', 'CRANES', 'DAYMAR', 'notmrk'];

const AREAS_AT_SEA: readonly (readonly [string, Draw])[] = [
  ...'PONTON HULKES FLODOC SLCONS PYLONS OFSPLF MORFAC FSHFAC DRYDOC'
    .split(' ')
    .map((acronym) => [`an area of ${acronym}`, area(acronym)] as const),
  ['a bridge that floats', area('BRIDGE', { CATBRG: '6' })],
];

export const ROWS: readonly Row[] = [
  { what: 'nothing', draw: () => undefined },
  // Areas that are not 20 m deep. The surrounding area has no hole for them.
  { what: 'a shoal', draw: area('DEPARE', { DRVAL1: 3.4 }), depth: 3.4, edge: ['depth', 3.4] },
  {
    what: 'a drying bank',
    draw: area('DEPARE', { DRVAL1: -1.2 }),
    depth: -1.2,
    edge: ['depth', -1.2],
  },
  {
    what: 'a shoal with its two depths swapped',
    draw: area('DEPARE', { DRVAL1: 10, DRVAL2: 3.4 }),
    depth: 3.4,
    edge: ['depth', 3.4],
  },
  {
    what: 'a depth area without a depth',
    draw: area('DEPARE', { DRVAL2: 5 }),
    depth: 5,
    flags: ['unknownDepth'],
    edge: ['unknown-depth', 5],
  },
  {
    what: 'a dredged area',
    draw: area('DRGARE', { DRVAL1: 9 }),
    depth: 9,
    flags: ['fairway'],
    edge: ['depth', 9],
  },
  {
    what: 'unsurveyed ground',
    draw: area('UNSARE'),
    flags: ['unknownDepth'],
    edge: ['unknown-depth', Infinity],
  },
  { what: 'land', draw: area('LNDARE'), depth: NEVER, edge: ['land', Number.NaN] },
  { what: 'an islet', draw: point('LNDARE'), depth: NEVER, edge: ['land', Number.NaN, 10] },
  { what: 'land as a line', draw: line('LNDARE'), depth: NEVER, edge: ['land', Number.NaN] },
  { what: 'coastline', draw: line('COALNE'), depth: NEVER, edge: ['land', Number.NaN] },
  ...AREAS_AT_SEA.map(([what, draw]) => ({ what, draw, depth: NEVER, edge: CLOSED })),
  ...['SLCONS', 'DAMCON', 'DYKCON', 'CAUSWY', 'GATCON', 'PONTON', 'OILBAR', 'LOGPON', 'FSHFAC'].map(
    (acronym) => ({
      what: `a line of ${acronym}`,
      draw: line(acronym),
      depth: NEVER,
      edge: CLOSED,
    }),
  ),
  ...['PILPNT', 'MORFAC', 'PYLONS', 'OFSPLF', 'HULKES', 'LITFLT', 'BOYINB'].map((acronym) => ({
    what: `a ${acronym}`,
    draw: point(acronym),
    ...{ depth: NEVER, edge: [...CLOSED, 10] as const },
  })),
  ...['BCNLAT', 'BOYCAR', 'BOYSPP', 'boywtw', 'bcnwtw'].flatMap((acronym) =>
    [{}, { QUAPOS: 4 }, { POSACC: 60 }].map((spatial) => ({
      what: `a ${acronym} with ${JSON.stringify(spatial)}`,
      draw: point(acronym, {}, spatial),
      depth: NEVER,
      edge: ['structure', Number.NaN, 2] as const,
    })),
  ),
  {
    what: 'a pile of doubtful position',
    draw: point('PILPNT', {}, { QUAPOS: 4 }),
    ...{ depth: NEVER, edge: [...CLOSED, 50] as const },
  },
  ...['OBSTRN', 'WRECKS', 'UWTROC'].flatMap((acronym) => [
    {
      what: `a ${acronym} of 4.2 m`,
      draw: point(acronym, { VALSOU: 4.2 }),
      depth: 4.2,
      edge: ['danger', 4.2, 10] as const,
    },
    {
      what: `a ${acronym} of unknown depth, always under water`,
      draw: point(acronym, { WATLEV: 3 }),
      depth: NEVER,
      edge: ['danger', Number.NaN, 10] as const,
    },
    {
      what: `a ${acronym} with a position accurate to 60 m`,
      draw: point(acronym, { VALSOU: 4.2 }, { POSACC: 60 }),
      depth: 4.2,
      edge: ['danger', 4.2, 60] as const,
    },
    {
      what: `a ${acronym} of doubtful position`,
      draw: point(acronym, { VALSOU: 4.2 }, { QUAPOS: 5 }),
      depth: 4.2,
      edge: ['danger', 4.2, 50] as const,
    },
  ]),
  {
    what: 'a foul area',
    draw: area('OBSTRN', { CATOBS: 6 }),
    depth: NEVER,
    edge: ['danger', Number.NaN],
  },
  {
    what: 'a wreck as an area',
    draw: area('WRECKS', { VALSOU: 7 }),
    depth: 7,
    edge: ['danger', 7],
  },
  { what: 'a fish farm', draw: area('MARCUL'), depth: NEVER, edge: ['danger', Number.NaN] },
  {
    what: 'oysters well below',
    draw: area('MARCUL', { VALSOU: 12 }),
    depth: 12,
    edge: ['danger', 12],
  },
  {
    what: 'a sounding shoaler than its area',
    draw: (chart) => void chart.soundings([[HERE[0], HERE[1], 11]]),
    depth: 11,
    edge: ['danger', 11, 10],
  },
  {
    what: 'a sounding as deep as its area',
    draw: (chart) => void chart.soundings([[HERE[0], HERE[1], 20.5]]),
  },
  { what: 'a cable on the sea bed', draw: line('CBLSUB') },
  {
    what: 'a pipe with its depth',
    draw: line('PIPSOL', { DRVAL1: 6 }),
    depth: 6,
    edge: ['danger', 6],
  },
  {
    what: 'a bridge',
    draw: line('BRIDGE', { VERCLR: 12.3 }),
    clearance: 12,
    edge: ['overhead', Infinity],
  },
  {
    what: 'a bridge without a height',
    draw: area('BRIDGE'),
    clearance: 0,
    edge: ['overhead', Infinity],
  },
  {
    what: 'a bridge that opens without limit',
    draw: area('BRIDGE', { CATBRG: '5', VERCCL: 3 }),
    flags: ['openingBridge'],
    edge: ['overhead', Infinity],
  },
  {
    what: 'a bridge that lifts to 25 m',
    draw: area('BRIDGE', { CATBRG: '4', VERCCL: 3, VERCOP: 25 }),
    flags: ['openingBridge'],
    clearance: 25,
    edge: ['overhead', Infinity],
  },
  {
    what: 'a power line',
    draw: line('CBLOHD', { VERCLR: 30, VERCSA: 24 }),
    clearance: 24,
    edge: ['overhead', Infinity],
  },
  {
    what: 'a pipe overhead',
    draw: line('PIPOHD', { VERCLR: 8 }),
    clearance: 8,
    edge: ['overhead', Infinity],
  },
  {
    what: 'a conveyor',
    draw: line('CONVYR', { VERCLR: 9 }),
    clearance: 9,
    edge: ['overhead', Infinity],
  },
  { what: 'the gate of a lock', draw: line('GATCON', { CATGAT: 4 }), flags: ['lock'] },
  ...[line, area].map((draw) => ({
    what: `the sill of a lock gate as ${draw === line ? 'a line' : 'an area'}`,
    draw: draw('GATCON', { CATGAT: 4, DRVAL1: 3.2 }),
    ...{ depth: 3.2, flags: ['lock'] as const, edge: ['danger', 3.2] as const },
  })),
  {
    what: 'the sill of a lock gate below a bridge',
    draw: line('GATCON', { CATGAT: 4, DRVAL1: 3.2, VERCLR: 8 }),
    ...{ depth: 3.2, clearance: 8, flags: ['lock'], edge: ['overhead', 3.2] },
  },
  { what: 'a flood gate', draw: line('GATCON', { CATGAT: 2 }), depth: NEVER, edge: CLOSED },
  { what: 'a lock', draw: area('LOKBSN'), flags: ['lock'] },
  {
    what: 'entry prohibited',
    draw: area('RESARE', { RESTRN: '1,7' }),
    flags: ['prohibited', 'noticed'],
    edge: ['prohibited', Infinity],
  },
  {
    what: 'entry restricted',
    draw: area('RESARE', { RESTRN: '8' }),
    flags: ['restricted', 'noticed'],
    edge: ['restricted', Infinity],
  },
  {
    what: 'an area to be avoided',
    draw: area('RESARE', { RESTRN: '8,14' }),
    flags: ['toBeAvoided', 'noticed'],
    edge: ['to-be-avoided', Infinity],
  },
  ...['1', '12', '18'].map((category) => ({
    what: `a zone of CATREA ${category} that keeps vessels out`,
    draw: area('RESARE', { CATREA: category }),
    flags: ['toBeAvoided', 'noticed'] as const,
    edge: ['to-be-avoided', Infinity] as const,
  })),
  ...['13', '25', '27'].map((code) => ({
    what: `RESTRN ${code}, which restricts a vessel under way`,
    draw: area('RESARE', { RESTRN: code }),
    flags: ['noticed'] as const,
  })),
  {
    what: 'a military area',
    draw: area('RESARE', { CATREA: '9' }),
    flags: ['military', 'noticed'],
  },
  {
    what: 'a firing range of restricted entry',
    draw: area('MIPARE', { RESTRN: '8' }),
    flags: ['military', 'restricted', 'noticed'],
    edge: ['restricted', Infinity],
  },
  { what: 'no anchoring', draw: area('RESARE', { RESTRN: '1' }) },
  {
    what: 'a minefield',
    draw: area('RESARE', { CATREA: '14' }),
    flags: ['prohibited', 'noticed'],
    edge: ['prohibited', Infinity],
  },
  {
    what: 'a cable area where entry is prohibited',
    draw: area('CBLARE', { RESTRN: '7' }),
    flags: ['prohibited', 'noticed'],
    edge: ['prohibited', Infinity],
  },
  { what: 'a firing range', draw: area('MIPARE'), flags: ['military'] },
  { what: 'a caution', draw: area('CTNARE'), flags: ['caution'] },
  { what: 'a dumping ground', draw: area('DMPGRD'), flags: ['caution'] },
  { what: 'a fairway', draw: area('FAIRWY'), flags: ['fairway'] },
  { what: 'a recommended track', draw: line('RECTRC'), flags: ['fairway'] },
  { what: 'a leading line', draw: line('NAVLNE', { CATNAV: 3 }), flags: ['fairway'] },
  { what: 'a clearing line', draw: line('NAVLNE', { CATNAV: 1 }) },
  { what: 'a lane', draw: area('TSSLPT', { ORIENT: 93 }), flags: ['lane'], bearing: 62 },
  { what: 'a lane without an end', draw: area('TSSLPT'), flags: ['lane'], bearing: 255 },
  { what: 'a separation zone', draw: area('TSEZNE'), flags: ['separation'] },
  { what: 'a light', draw: point('LIGHTS') },
  ...STANDING.map((acronym) => ({
    what: `a ${acronym} in the water, as a wind turbine`,
    draw: point(acronym, acronym === 'LNDMRK' ? { CATLMK: 19 } : {}),
    depth: NEVER,
    edge: ['structure', Number.NaN, 10] as const,
  })),
  { what: 'a building on piles', draw: area('BUISGL'), depth: NEVER, edge: CLOSED },
  { what: 'a fence', draw: line('FNCLNE'), depth: NEVER, edge: CLOSED },
  { what: 'an unmarked distance mark', draw: point('DISMAR', { CATDIS: 1 }) },
  { what: 'a cable ferry', draw: line('FERYRT', { CATFRY: '2' }), flags: ['caution'] },
  { what: 'a ferry', draw: line('FERYRT', { CATFRY: '1' }) },
  { what: 'overfalls', draw: area('WATTUR', { CATWAT: 3 }), flags: ['caution'] },
  {
    what: 'a bombora',
    draw: point('WATTUR', { CATWAT: 5 }),
    depth: NEVER,
    edge: ['danger', Number.NaN, 10],
  },
  { what: 'mangroves', draw: area('VEGATN', { CATVEG: '7' }), flags: ['caution'] },
  // New objects: by their symbol, by their text, by a depth.
  ...[
    { CLSNAM: 'Virtual AtoN, Wreck Marking', SYMINS: "SY(BOYEWM01);TX('V-AIS',3,2,2,'15110',2,0)" },
    { CLSNAM: 'Virtual AtoN, Isolated Danger', SYMINS: 'SY(BRTHNO01)' },
    { CLSNAM: 'Virtual AtoN', OBJNAM: 'New rock off the point' },
    { OBJNAM: 'V-AIS', SYMINS: 'SY(BOYISD12)' },
  ].map((words) => ({
    what: `a virtual aid that marks a danger: ${JSON.stringify(words)}`,
    draw: point('NEWOBJ', words),
    depth: NEVER,
    flags: ['noticed'] as const,
    edge: ['danger', Number.NaN, 50] as const,
  })),
  {
    what: 'a virtual aid that marks no danger',
    draw: point('NEWOBJ', { CLSNAM: 'Virtual AtoN, Port Lateral', SYMINS: 'SY(BOYCAN24)' }),
    flags: ['noticed'],
  },
  ...[
    { CLSNAM: 'Sunken container' },
    { SYMINS: 'SY(DANGER01)' },
    { SYMINS: "TX('x',1,1,1,'15110');SY(WRECKS05)" },
    { CLSNAM: 'Thing', SYMINS: 'SY(UWTROC03)' },
  ].map((words) => ({
    what: `a new danger: ${JSON.stringify(words)}`,
    draw: point('NEWOBJ', words),
    depth: NEVER,
    flags: ['noticed'] as const,
    edge: ['danger', Number.NaN, 10] as const,
  })),
  {
    what: 'a new foul area, drawn by its pattern',
    draw: area('NEWOBJ', { SYMINS: 'AP(FOULAR01)' }),
    depth: NEVER,
    flags: ['noticed'],
    edge: ['danger', Number.NaN],
  },
  {
    what: 'a new object with a depth',
    draw: point('NEWOBJ', { CLSNAM: 'Something', VALSOU: 4.2 }),
    depth: 4.2,
    flags: ['noticed'],
    edge: ['danger', 4.2, 10],
  },
  ...[{ CLSNAM: 'Tidal turbine' }, { SYMINS: 'SY(OFSPLF01)' }].map((words) => ({
    what: `a new structure: ${JSON.stringify(words)}`,
    draw: point('NEWOBJ', words),
    depth: NEVER,
    flags: ['noticed'] as const,
    edge: ['structure', Number.NaN, 10] as const,
  })),
  {
    what: 'a new zone that vessels must avoid',
    draw: area('NEWOBJ', { SYMINS: 'SY(ENTRES51);LS(DASH,2,CHMGD)' }),
    flags: ['toBeAvoided', 'noticed'],
    edge: ['to-be-avoided', Infinity],
  },
  {
    what: 'a new object without attributes',
    draw: point('NEWOBJ'),
    flags: ['noticed'],
  },
  {
    what: 'an area of a class that is not in the catalogue',
    draw: area('$20001'),
    flags: ['noticed'],
  },
  {
    what: 'a danger of a class that is not in the catalogue',
    draw: point('$20001', { VALSOU: 1.5, OBJNAM: 'Rock Harbour' }),
    depth: 1.5,
    flags: ['noticed'],
    edge: ['danger', 1.5, 10],
  },
];
