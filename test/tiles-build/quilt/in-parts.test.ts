// Clipping of rings with very many vertices in parts, compared with clipping by the engine at once.

import { describe, expect, it } from 'vitest';
import type { Flat } from '../../../shared/geo/clip-box.ts';
import { doubleArea } from '../../../shared/geo/ring.ts';
import { loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { type Intersection, inParts } from '../../../tiles-build/quilt/in-parts.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const clipper = await loadClipper();
const AT_ONCE = 30;
const IN_PART = 12;
const ROUNDS = isLong ? 20_000 : 300;

const areaOf = (rings: readonly Flat[]): number =>
  rings.reduce((sum, ring) => sum + doubleArea(ring), 0) / 2;

const girthOf = (rings: readonly Flat[]): number =>
  rings.reduce((sum, ring) => {
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      sum += Math.hypot(ring[i]! - ring[j]!, ring[i + 1]! - ring[j + 1]!);
    }
    return sum;
  }, 0);

/** A ring around a place with vertices at random distances, on a grid of whole units. */
function ragged(random: () => number, [x, y]: readonly [number, number], radius: number): Flat {
  const count = 3 + Math.floor(random() * 60);
  const ring: Flat = [];
  for (let i = 0; i < count; i++) {
    const [turn, far] = [(2 * Math.PI * i) / count, radius * (0.2 + 0.8 * random())];
    ring.push(Math.round(x + far * Math.cos(turn)), Math.round(y + far * Math.sin(turn)));
  }
  return ring;
}

/** The union of rings that may overlap. */
function ground(random: () => number, unit: number): Flat[] {
  const rings = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
    ragged(random, [(random() - 0.5) * 6000, (random() - 0.5) * 6000], 500 + random() * 4000),
  );
  return clipper.union(rings.map((ring) => ring.map((value) => Math.round(value / unit) * unit)));
}

describe('inParts', () => {
  it.each([1, 700])(
    `equals the engine alone on ${ROUNDS} random grounds on a grid of %d units (seed 27)`,
    (unit) => {
      const random = seededRandom(27);
      const parted = inParts(clipper.intersection, AT_ONCE, IN_PART);
      for (let round = 0; round < ROUNDS; round++) {
        const [subject, clips] = [ground(random, unit), ground(random, unit)];
        const [one, other] = [clipper.intersection(subject, clips), parted(subject, clips)];
        const differing =
          areaOf(clipper.difference(one, other)) + areaOf(clipper.difference(other, one));
        // Points where a cut crosses an edge are rounded, which moves the edge.
        const most = girthOf(one) + 1;
        expect(differing, `round ${round}`).toBeLessThanOrEqual(most);
        expect(Math.abs(areaOf(other) - areaOf(one)), `round ${round}`).toBeLessThanOrEqual(most);
      }
    },
  );

  it('restores the vertices of the ground with few others', () => {
    const comb: Flat = [];
    for (let i = 0; i < 40; i++) comb.push(200 * i, i % 2 === 0 ? 10_000 : 4003);
    const subject = clipper.union([[...comb, 7800, 20_000, 0, 20_000]]);
    const around = [
      [-50_000, -50_000, 90_000, -50_000, 90_000, 50_000, 3901, 4100, -50_000, 50_000],
    ];
    const parted = inParts(clipper.intersection, 8, 8)(subject, around);
    const places = parted.flatMap((ring) =>
      Array.from({ length: ring.length / 2 }, (_, i) => `${ring[2 * i]} ${ring[2 * i + 1]}`),
    );
    const tips = Array.from({ length: 15 }, (_, i) => `${200 + 400 * i} 4003`);
    expect(places).toEqual(expect.arrayContaining(tips.slice(0, 9)));
    // Two per tooth, and a few where two cuts cross one edge.
    expect(places.length).toBeLessThan(100);
  });

  /** The engine, with the largest number of vertices that it received at once. */
  function watched(operation: Intersection) {
    let most = 0;
    const watching: Intersection = (subject, clips) => {
      most = Math.max(
        most,
        subject.reduce((sum, ring) => sum + ring.length / 2, 0),
      );
      return operation(subject, clips);
    };
    return { watching, most: () => most };
  }

  it.each([
    ['upright', [10, -2_000_000, 2_000_000, -2_000_000, 2_000_000, 2_000_000, 10, 2_000_000]],
    ['slanting', [-2_000_000, -2_000_000, 2_000_000, -2_000_000, 2_000_000, 2_000_000]],
  ])(
    'passes an island of 8,000 vertices crossed by the %s border of a cell to the engine in small parts',
    (_, face) => {
      const star: Flat = [];
      const vertices = 8_000;
      for (let i = 0; i < vertices; i++) {
        const [radius, turn] = [i % 2 === 0 ? 1_500_000 : 500_000, (2 * Math.PI * i) / vertices];
        star.push(Math.round(radius * Math.cos(turn)), Math.round(radius * Math.sin(turn)));
      }
      const { watching, most } = watched(clipper.intersection);
      const cut = inParts(watching, 5_000, 1_000)([star], [face]);
      expect(most()).toBeLessThanOrEqual(1_000);
      expect(areaOf(cut) / areaOf([star])).toBeCloseTo(0.5, 4);
    },
  );
});
