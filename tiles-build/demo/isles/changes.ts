// The changes that the updates contain: moved marks, a new wreck, an improved light, shoaler water.

import { DANGERS } from './dangers.ts';
import { ESTUARY } from './estuary.ts';
import { LAND } from './land.ts';
import { MARKS } from './marks.ts';
import { PORT } from './port.ts';
import { area, type Place, places, point, round, type Thing } from './thing.ts';
import { EXCLUSIVE_ZONE, WATERS } from './waters.ts';

/** Marks whose national systems differ: S-57 MARSYS 1 is IALA A, 2 is IALA B. */
const MARK_SYSTEMS: readonly Thing[] = [
  area('Region A', 'M_NSYS', places('-100 -90, -100 80, 28 80, 28 -90'), { MARSYS: 1 }, [3, 5]),
  area('Region B', 'M_NSYS', places('28 -90, 28 80, 100 80, 100 -90'), { MARSYS: 2 }, [3, 5]),
];

interface Change {
  readonly cell: string;
  readonly update: number;
  readonly name: string;
  /** The object after the change; `undefined` if it was removed. */
  readonly become: (before: Thing | undefined) => Thing | undefined;
}

const moved = (to: Place) => (before: Thing | undefined) =>
  before && { ...before, shape: { kind: 'point', at: to } as const };

/** The light has a different rhythm, and its range is no longer stated. */
const withPeriod = (seconds: number) => (before: Thing | undefined) => {
  if (before === undefined) return undefined;
  const { VALNMR: _range, ...attributes } = before.attributes;
  return { ...before, attributes: { ...attributes, SIGPER: seconds } };
};

const CHANGES: readonly Change[] = [
  ...['Wick 3', 'Wick 3 topmark', 'Wick 3 light'].map((name) => {
    return { cell: 'ZL5WICKE', update: 1, name, become: moved([1.52, -1.15]) };
  }),
  {
    cell: 'ZL5WICKE',
    update: 1,
    name: 'Wreck found in 2026',
    become: () =>
      point('Wreck found in 2026', 'WRECKS', [2.6, -3.2], {
        CATWRK: 1,
        VALSOU: 12.4,
        QUASOU: 6,
        WATLEV: 3,
      }),
  },
  ...['green', 'white', 'red'].map((colour) => {
    const name = `Wick Pier Head ${colour} sector`;
    return { cell: 'ZL5WICKE', update: 1, name, become: withPeriod(5) };
  }),
  { cell: 'ZL5WICKE', update: 2, name: 'Oil boom', become: () => undefined },
  {
    cell: 'ZL5WICKE',
    update: 2,
    name: 'Wick Road spoil',
    become: () => area('Wick Road spoil', 'DMPGRD', round([4.6, -3.4], 0.3, 0.2), { CATDPG: '2' }),
  },
  {
    cell: 'ZL3ISLES',
    update: 1,
    name: 'Lantern weather buoy',
    become: moved([18.6, -12.6]),
  },
];

/** Metres by which the water around a place is shoaler than in the base. */
export const SHOALING = {
  cell: 'ZL5WICKE',
  update: 2,
  at: [3.4, -2.6],
  reach: 0.5,
  by: 0.7,
} as const;

/** All objects of a cell after an update. */
export function thingsAfter(cell: string, update: number): readonly Thing[] {
  const base = [
    EXCLUSIVE_ZONE,
    ...MARK_SYSTEMS,
    ...WATERS,
    ...LAND,
    ...PORT,
    ...DANGERS,
    ...MARKS,
    ...ESTUARY,
  ];
  const things = new Map(base.map((thing) => [thing.name, thing]));
  for (const change of CHANGES) {
    if (change.cell !== cell || change.update > update) continue;
    const thing = change.become(things.get(change.name));
    if (thing === undefined) things.delete(change.name);
    else things.set(change.name, thing);
  }
  return [...things.values()];
}
