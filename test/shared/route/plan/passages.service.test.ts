// Long trips over the demo charts, which show the Atlantic, and the background: straits are open,
// canals are open if they are chosen and the vessel fits.

import { expect, inject, it } from 'vitest';
import type { Canal } from '../../../../shared/route/passages.ts';
import { oceanGraph } from '../../../../shared/route/plan/search/ocean-graph.ts';
import type { NoPlan, Plan, Trip } from '../../../../shared/route/trip.ts';
import { PORTS } from '../../../support/route/ports.ts';
import { planCold, planWarm, tripOf } from '../../../support/route/trips.ts';
import { openSeaFile } from '../../../support/sea-file.ts';

const sea = await openSeaFile(inject('demoCharts'));
const SHIP = { draft: 7, airDraft: 30, beam: 15, length: 150 };

function plan(
  from: string,
  to: string,
  canals: readonly Canal[] = [],
  vessel: Partial<Trip['vessel']> = SHIP,
  avoid: Trip['options']['avoid'] = new Set(),
): Plan | NoPlan {
  const changes = {
    vessel,
    safety: { lateralClearance: 30, allowUnknownDepth: true },
    options: { maxSnapDistance: 50_000, canals: new Set(canals), avoid },
  };
  return planWarm(tripOf([PORTS[from]!, PORTS[to]!], changes), sea);
}

function milesOf(answer: Plan | NoPlan): number {
  if (!answer.success) throw new Error(answer.failures[0]!.message);
  return answer.distance / 1852;
}

const warningsOf = (answer: Plan | NoPlan): readonly string[] =>
  answer.success
    ? answer.warnings.filter(({ code }) => code === 'PASSAGE').map(({ message }) => message)
    : [];

it('finds Lisbon to Odessa through the Dardanelles and the Bosporus', () => {
  const answer = plan('Lisbon', 'Odessa');
  expect(warningsOf(answer)).toEqual([
    expect.stringContaining('Dardanelles'),
    expect.stringContaining('Bosporus'),
  ]);
});

it('finds Rotterdam to Shanghai around Africa, and shorter with the Suez Canal', () => {
  const around = plan('Rotterdam', 'Shanghai');
  expect(warningsOf(around)).toEqual([]);
  const through = plan('Rotterdam', 'Shanghai', ['suez']);
  expect(milesOf(through)).toBeLessThan(milesOf(around) - 3000);
  expect(warningsOf(through)).toContainEqual(expect.stringContaining('Suez Canal'));
});

it('keeps other canals closed when one is chosen', () => {
  expect(milesOf(plan('Colon', 'Balboa', ['panama']))).toBeLessThan(100);
  expect(milesOf(plan('Colon', 'Balboa', ['kiel']))).toBeGreaterThan(8000);
});

it('sails along a coast where the graph of the oceans knows only a detour', () => {
  // The graph leads around Ireland: 1,192 miles.
  expect(milesOf(plan('Bordeaux', 'Porto'))).toBeLessThan(500);
  expect(milesOf(plan('Haiphong', 'Hong Kong'))).toBeLessThan(440);
});

it('reads no land of other oceans for a trip along a coast', () => {
  const columns: number[] = [];
  const spied: typeof sea = {
    ...sea,
    square(zoom, x, y) {
      if (zoom > 2) columns.push(x / 2 ** zoom);
      return sea.square(zoom, x, y);
    },
  };
  const answer = planCold(
    tripOf([PORTS['Bordeaux']!, PORTS['Porto']!], {
      vessel: SHIP,
      safety: { lateralClearance: 30, allowUnknownDepth: true },
      options: { maxSnapDistance: 50_000 },
    }),
    spied,
  );
  expect(answer.success).toBe(true);
  // From 45 degrees west to 22 degrees east. Suez is at 32, Panama at 80 degrees west.
  expect(Math.min(...columns)).toBeGreaterThanOrEqual(0.375);
  expect(Math.max(...columns)).toBeLessThan(0.5625);
});

it('lists the limits that the request leaves unchecked', () => {
  const [text] = warningsOf(plan('Port Said', 'Suez', ['suez'], { ...SHIP, airDraft: undefined }));
  expect(text).toContain('Not checked: the air draft, which the request does not have;');
  expect(text).not.toContain('the beam, which');
});

it.each([
  ['draft', 'panama', { draft: 15.3 }],
  ['air draft', 'suez', { airDraft: 68.1 }],
  ['beam', 'corinth', { beam: 17.7 }],
  ['length', 'kiel', { length: 236 }],
] as const)('refuses a vessel whose %s is too large for %s', (what, canal, vessel) => {
  const answer = plan('Piraeus', 'Genoa', [canal], { ...SHIP, ...vessel });
  if (answer.success) throw new Error('There is a route.');
  expect(answer.failures.map(({ code }) => code)).toEqual(['CANAL_TOO_SMALL']);
  expect(answer.failures[0]!.message).toContain(`a ${what} of at most`);
  expect(answer.failures[0]!.message).toContain(`Remove \`${canal}\``);
});

it('closes the Bosporus to a vessel that is higher than its limit', () => {
  expect(plan('Istanbul', 'Odessa', [], { ...SHIP, airDraft: 59 }).success).toBe(false);
  expect(plan('Istanbul', 'Odessa', [], { ...SHIP, airDraft: 57 }).success).toBe(true);
});

it('does not use canals with locks if locks are avoided', () => {
  const answer = plan('Colon', 'Balboa', ['panama'], SHIP, new Set(['locks']));
  expect(milesOf(answer)).toBeGreaterThan(8000);
});

it('has a graph of the oceans whose links all have two ends', () => {
  const { points, around } = oceanGraph();
  expect(around.length).toBe(points.length);
  for (const [node, edges] of around.entries()) {
    expect(edges.length).toBeGreaterThan(0);
    for (const { from, to } of edges) expect([from, to]).toContain(node);
  }
});
