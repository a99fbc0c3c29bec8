// Depth codes compared with depths: a code is never deeper than the charted depth, and at most one
// step shallower.

import { describe, expect, it } from 'vitest';
import {
  clearanceForNeed,
  clearanceOfCode,
  codeForNeed,
  codeOfClearance,
  codeOfDepth,
  depthOfCode,
} from '../../../shared/route/depth-code.ts';

/** From the deepest drying height with a code to the deepest sea, in centimetres. */
function* depths(): Generator<number> {
  for (let centimetres = -400; centimetres <= 1_200_000; centimetres += 7) yield centimetres / 100;
}
const STEPS = [
  { below: 16, step: 0.1 },
  { below: 30, step: 0.5 },
] as const;

describe('codeOfDepth', () => {
  it('never stands for more than the charted depth', () => {
    const wrong: number[] = [];
    for (const meters of depths()) {
      if (depthOfCode(codeOfDepth(meters)) > meters + 1e-6) wrong.push(meters);
    }
    expect(wrong).toEqual([]);
  });

  it('takes less than 0.1 m off depths below 16 m, and less than 0.5 m off those below 30 m', () => {
    const wrong: number[] = [];
    for (const meters of depths()) {
      const known = STEPS.find(({ below }) => meters < below);
      if (known === undefined) break;
      if (meters - depthOfCode(codeOfDepth(meters)) > known.step - 1e-6) wrong.push(meters);
    }
    expect(wrong).toEqual([]);
  });

  it('grows with the depth, through all codes', () => {
    const codes: number[] = [];
    for (const meters of depths()) {
      const code = codeOfDepth(meters);
      if (code !== codes.at(-1)) codes.push(code);
    }
    expect(codes).toEqual(Array.from({ length: 255 }, (_, i) => i + 1));
  });

  it('keeps the usual contours of metric charts from 16 m to 30 m', () => {
    for (const meters of [16, 20, 25, 30]) expect(depthOfCode(codeOfDepth(meters))).toBe(meters);
  });
});

describe('codeForNeed', () => {
  it('accepts no depth that is less than the need', () => {
    const wrong: [need: number, meters: number][] = [];
    for (let need = 0; need < 60; need += 0.37) {
      const code = codeForNeed(need);
      for (let meters = Math.max(0, need - 5); meters < need - 1e-6; meters += 0.05) {
        if (codeOfDepth(meters) >= code) wrong.push([need, meters]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    [17.9, 18],
    [18.4, 19],
    [19.5, 20],
    [24.6, 25],
  ])('accepts for a need of %d m water charted at %d m', (need, meters) => {
    expect(codeOfDepth(meters)).toBeGreaterThanOrEqual(codeForNeed(need));
  });
});

const CLEARANCE_STEPS = [
  { below: 16, step: 0.1 },
  { below: 20, step: 0.2 },
  { below: 40, step: 0.5 },
  { below: 70, step: 1 },
  { below: 140, step: 14 },
] as const;

describe('codeOfClearance', () => {
  it('is never greater than the charted clearance, and rounds by at most one step', () => {
    const wrong: number[] = [];
    for (let decimetres = 0; decimetres <= 1500; decimetres++) {
      const meters = decimetres / 10;
      const lost = meters - clearanceOfCode(codeOfClearance(meters));
      const step =
        CLEARANCE_STEPS.find(({ below }) => meters < below)?.step ?? Number.POSITIVE_INFINITY;
      if (lost < -1e-6 || lost > step - 1e-6) wrong.push(meters);
    }
    expect(wrong).toEqual([]);
    expect(clearanceOfCode(codeOfClearance(150))).toBe(126);
    expect([Number.NaN, -1].map(codeOfClearance)).toEqual([0, 0]);
  });
});

describe('clearanceForNeed', () => {
  it.each([
    [3.7, 3.65],
    [12.3, 12.3],
    [19.8, 19.7],
    [20.5, 20.1],
    [41, 40.1],
    [84, 71],
  ])('accepts a clearance of %d m for a need of %d m', (meters, need) => {
    expect(codeOfClearance(meters)).toBeGreaterThanOrEqual(clearanceForNeed(need));
    expect(codeOfClearance(need - 0.01)).toBeLessThan(clearanceForNeed(need));
  });
});
