// Straits and canals compared with the needs of a trip.

import { describe, expect, it } from 'vitest';
import { excessOf, uncheckedLimits } from '../../../shared/route/passage-limits.ts';
import { PASSAGES } from '../../../shared/route/passages.ts';
import { pathOf } from '../../../shared/route/plan/geometry/plane.ts';
import type { Survey } from '../../../shared/route/plan/read/survey.ts';
import { passagesAlong } from '../../../shared/route/plan/warnings/passages.ts';
import { SEA_FLAGS } from '../../../shared/route/sea.ts';
import { type TripChanges, tripOf } from '../../support/route/trips.ts';

const passageOf = (name: string) => PASSAGES.find((passage) => passage.name === name)!;
const excess = (name: string, changes: TripChanges) =>
  excessOf(passageOf(name), tripOf([], changes))?.value;

describe('excessOf', () => {
  it.each([
    ['Kerch Strait', 35],
    ['Little Belt', 33],
    ['Tjeldsund', 41],
    ['Naruto Strait', 41],
    ['Kalmar Strait', 36],
    ['Surabaya Strait', 35],
    ['Gulf of Venezuela to Lake Maracaibo', 45],
    ['Strait of Rion', 52],
    ['Euripus Strait', 34.5],
    ['Kanmon Strait', 61],
    ['Inland Sea of Japan', 65],
    ['Dardanelles', 70],
  ])('adds the overhead clearance under the bridge of %s', (name, meters) => {
    const safety = { overheadClearance: 2 };
    expect(excess(name, { vessel: { airDraft: meters - 1 }, safety })).toBe(meters + 1);
    expect(excess(name, { vessel: { airDraft: meters - 2 }, safety })).toBeUndefined();
  });

  it('compares the bare air draft with a limit for vessels', () => {
    const vessel = { draft: 2, airDraft: 40 };
    expect(excess('Kiel Canal', { vessel, safety: { overheadClearance: 5 } })).toBeUndefined();
    expect(excess('Kiel Canal', { vessel: { airDraft: 40.1 } })).toBe(40.1);
  });

  it('counts the water level in a depth', () => {
    const vessel = { draft: 3 };
    expect(excess('Isanotski Strait', { vessel })).toBeUndefined();
    expect(excess('Isanotski Strait', { vessel, safety: { waterLevel: -2 } })).toBe(5.5);
    expect(excess('Isanotski Strait', { vessel: { draft: 4 } })).toBe(4.5);
    expect(excess('Isanotski Strait', { vessel: { draft: 4 }, safety: { waterLevel: 1 } })).toBe(
      undefined,
    );
  });
});

describe('uncheckedLimits', () => {
  it('names the air draft that a bridge requires', () => {
    expect(uncheckedLimits(passageOf('Kerch Strait'), tripOf([]))).toEqual(['airDraft']);
    const low = tripOf([], { vessel: { airDraft: 10 } });
    expect(uncheckedLimits(passageOf('Kerch Strait'), low)).toEqual([]);
  });

  it('does not list a depth that the water level makes sufficient', () => {
    const trip = tripOf([], { safety: { waterLevel: 5 } });
    expect(uncheckedLimits(passageOf('Isanotski Strait'), trip)).toEqual([]);
  });
});

describe('passagesAlong', () => {
  it.each([
    ['Alas Strait', true],
    ['Kalmar Strait', false],
    ['Bosporus', false],
  ])('states that heights are not checked, as none are known: %s, %s', (name, states) => {
    const [, place] = pathOf(passageOf(name).line);
    const survey = { flagsAt: new Map([[SEA_FLAGS.passage, place!]]) } as unknown as Survey;
    const used = passagesAlong(tripOf([], { vessel: { airDraft: 20 } }), [survey]);
    const { text } = used.find((one) => one.text.includes(name))!;
    expect(text.includes('heights of bridges and cables')).toBe(states);
  });
});
