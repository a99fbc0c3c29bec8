// A path under an overhead obstruction has a warning, even far from waypoints. It states what is not
// checked.

import { expect, test } from 'vitest';
import { SEA_FLAGS } from '../../../../shared/route/sea.ts';
import { box, makeSea, type Shape } from '../../../support/route/synthetic-sea.ts';
import { planCold, planWarm, tripOf } from '../../../support/route/trips.ts';

const SQUARES = 32;
const HEIGHTS = [5, 30, 10];

/** Three bridges across a channel, and a trip below them in one leg. */
function seaWith(bridges: readonly Pick<Shape, 'clearance' | 'flags'>[]) {
  const shapes = bridges.map((bridge, i): Shape => {
    const x = (14 + 2 * i) * 256 + 90.5;
    return {
      ring: [
        [x, 30],
        [x, 226],
      ],
      open: true,
      kind: 'overhead',
      ...bridge,
    };
  });
  const sea = makeSea({ corner: [8200, 8600], squares: [SQUARES, 1], depth: 20, shapes });
  const ends = [
    [20, 128],
    [SQUARES * 256 - 20, 129],
  ] as const;
  return { sea, ends: ends.map(sea.positionOf) };
}

test.each([['not given', undefined] as const, ['3 m', 3] as const])(
  'each of three bridges, 30 km and more from the ends of one leg, causes a warning with the air draft %s',
  (_, airDraft) => {
    const { sea, ends } = seaWith(HEIGHTS.map((clearance) => ({ clearance })));
    const trip = tripOf(ends, { vessel: { airDraft } });
    const plan = planWarm(trip, sea);
    if (!plan.success) throw new Error(plan.failures[0]!.message);
    expect(plan.legs).toHaveLength(1);
    const bridgeWarnings = plan.warnings.filter(({ code }) => code === 'UNDER_BRIDGE');
    expect(
      bridgeWarnings.map(({ message }) => Number(/Clearance ([\d.]+)/.exec(message)![1])),
    ).toEqual(HEIGHTS);
    expect(planCold(trip, sea)).toEqual(plan);
  },
);

test.each([3.7, 12.3, 19.8])('a bridge of %s m is high enough for a need of as much', (meters) => {
  const { sea, ends } = seaWith([{ clearance: meters }]);
  const plan = planWarm(tripOf(ends, { vessel: { airDraft: meters - 0.5 } }), sea);
  if (!plan.success) throw new Error(plan.failures[0]!.message);
  expect(plan.legs[0]!.minClearance).toBeCloseTo(meters, 6);
});

test('each bridge that may have to open causes a warning, with the height of the open bridge if it has one', () => {
  const opening = { clearance: Number.POSITIVE_INFINITY, flags: SEA_FLAGS.openingBridge };
  const { sea, ends } = seaWith([opening, { clearance: 30 }, { ...opening, clearance: 20 }]);
  const plan = planWarm(tripOf(ends, {}), sea);
  if (!plan.success) throw new Error(plan.failures[0]!.message);
  const bridgeWarnings = plan.warnings.filter(({ code }) => code.endsWith('_BRIDGE'));
  expect(bridgeWarnings.map(({ code }) => code)).toEqual([
    'OPENING_BRIDGE',
    'UNDER_BRIDGE',
    'UNDER_BRIDGE',
    'OPENING_BRIDGE',
  ]);
  expect(plan.warnings.map(({ message }) => message).join()).not.toMatch(/Infinity|NaN/);
});

test.each([
  [3, 'Clearance 30 m; 20.5 m is needed. The water level of 3 m is not subtracted'],
  [0, 'Clearance 30 m; 20.5 m is needed. Its width is not checked.'],
  [-1, 'Clearance 30 m; 20.5 m is needed. Its width is not checked.'],
])('a water level of %s m is not subtracted from a clearance without a warning', (level, text) => {
  const { sea, ends } = seaWith([{ clearance: 30 }]);
  const trip = tripOf(ends, { vessel: { airDraft: 20 }, safety: { waterLevel: level } });
  const plan = planWarm(trip, sea);
  if (!plan.success) throw new Error(plan.failures[0]!.message);
  const [bridge] = plan.warnings.filter(({ code }) => code === 'UNDER_BRIDGE');
  expect(bridge!.message).toContain(text);
});

/** A bridge over all of the water, from 190 to 210. */
function refusalBelow(clearance: number, from: number, airDraft: number, overheadClearance = 0.5) {
  const bridge = { ring: box(190, -5, 210, 261), kind: 'overhead', clearance } as const;
  const sea = makeSea({ corner: [8200, 8600], squares: [2, 1], depth: 20, shapes: [bridge] });
  const ends = [[from, 128] as const, [490, 128] as const].map(sea.positionOf);
  const plan = planWarm(tripOf(ends, { vessel: { airDraft }, safety: { overheadClearance } }), sea);
  return plan.success ? undefined : plan.failures[0]!.message;
}

test.each([
  [30.4, 200, 29.8, 'lies under a clearance of at least 30 m (rounded down), and 30.3 m is needed'],
  [30.4, 20, 29.8, 'too low for an air draft of 29.8 m, or too little higher, because clearances'],
  [30.5, 20, 30, undefined],
  [12.4, 200, 12, 'lies under a clearance of 12.4 m, and 12.5 m is needed'],
  [12.4, 20, 12, 'too low for an air draft of 12 m; a lower vessel could pass'],
])('a bridge of %s m, from %i, for an air draft of %s m', (clearance, from, airDraft, text) => {
  const message = refusalBelow(clearance, from, airDraft);
  if (text === undefined) expect(message).toBeUndefined();
  else expect(message).toContain(text);
});

test('an air draft and a clearance of 0 m do not fit under an unknown height', () => {
  expect(refusalBelow(Number.NaN, 20, 0, 0)).toContain('too low for an air draft of 0 m');
  expect(refusalBelow(0.1, 20, 0, 0)).toBeUndefined();
});
