// Objects that are more dangerous than their depth, their height or their size on the chart suggests:
// rows of `effects.test.ts`.

import { area, NEVER, point, type Row } from './draw-objects.ts';

const CLOSED = ['structure', Number.NaN] as const;

export const BARRIER_ROWS: readonly Row[] = [
  ...(
    [
      ['BRIDGE', { CATBRG: '6' }],
      ['DAMCON', {}],
      ['GATCON', { CATGAT: 2 }],
      ['GATCON', { CATGAT: 4, CONDTN: 2 }],
    ] as const
  ).map(([acronym, words]) => ({
    what: `a ${acronym} as a point, ${JSON.stringify(words)}`,
    draw: point(acronym, words),
    ...{ depth: NEVER, edge: [...CLOSED, 100] as const },
  })),
  ...(
    [
      ['OBSTRN', { WATLEV: 1 }],
      ['OBSTRN', { WATLEV: 7 }],
      ['OBSTRN', { CATOBS: 8 }],
      ['OBSTRN', { CATOBS: 10 }],
      ['OBSTRN', { QUASOU: '2' }],
      ['MARCUL', { WATLEV: 2 }],
      ['WRECKS', { CATWRK: 4 }],
      ['WRECKS', { CATWRK: 5 }],
    ] as const
  ).map(([acronym, words]) => ({
    what: `a ${acronym} above water with a depth, ${JSON.stringify(words)}`,
    draw: point(acronym, { VALSOU: 12, ...words }),
    ...{ depth: NEVER, edge: ['danger', Number.NaN, 10] as const },
  })),
  {
    what: 'a rock that covers and uncovers',
    draw: point('UWTROC', { VALSOU: -1.2, WATLEV: 4 }),
    ...{ depth: -1.2, edge: ['danger', -1.2, 10] },
  },
  ...['UWTROC', 'uwtroc'].map((acronym) => ({
    what: `a ${acronym} whose period is over`,
    draw: point(acronym, { VALSOU: 4.2, DATEND: '20000101' }),
    ...{ depth: 4.2, edge: ['danger', 4.2, 10] as const },
  })),
  ...[{ STATUS: '1,4' }, { CONDTN: 1 }, { CONDTN: 2 }].map((words) => ({
    what: `an opening bridge out of use, ${JSON.stringify(words)}`,
    draw: area('BRIDGE', { CATBRG: '5', VERCCL: 3, VERCOP: 30, ...words }),
    ...{ clearance: 3, edge: ['overhead', Infinity] as const },
  })),
  {
    what: 'a bridge as a point',
    draw: point('BRIDGE', { VERCLR: 12.3 }),
    ...{ clearance: 12.3, edge: ['overhead', Infinity, 100] },
  },
  {
    what: 'an opening bridge as a point',
    draw: point('BRIDGE', { CATBRG: '2', VERCOP: 12.3 }),
    ...{ clearance: 12.3, flags: ['openingBridge'], edge: ['overhead', Infinity, 100] },
  },
  {
    what: 'a lift bridge as a point, without its open height',
    draw: point('BRIDGE', { CATBRG: '4', VERCLR: 3 }),
    ...{ clearance: 3, flags: ['openingBridge'], edge: ['overhead', Infinity, 100] },
  },
  ...[{}, { DRVAL1: 3.2 }].map(({ DRVAL1 }: { DRVAL1?: number }) => ({
    what: `a lock gate as a point, with a sill of ${DRVAL1} m`,
    draw: point('GATCON', { CATGAT: 4, ...(DRVAL1 === undefined ? {} : { DRVAL1 }) }),
    ...{ depth: DRVAL1 ?? 20, flags: ['lock'] as const },
    edge: ['danger', DRVAL1 ?? Infinity, 100] as const,
  })),
  {
    what: 'a lock out of use',
    draw: area('LOKBSN', { STATUS: '4' }),
    ...{ depth: NEVER, edge: CLOSED },
  },
];
