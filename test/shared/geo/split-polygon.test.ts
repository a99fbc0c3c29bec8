// Compares polygons cut to boxes with two other libraries: one for the area, one for validity.

import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import GeoJSONReader from 'jsts/org/locationtech/jts/io/GeoJSONReader.js';
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js';
import polygonClipping from 'polygon-clipping';
import { describe, expect, test } from 'vitest';
import type { Box, Flat } from '../../../shared/geo/clip-box.ts';
import { clipPolygon } from '../../../shared/geo/clip-polygon.ts';
import { doubleArea, groupRings, oriented } from '../../../shared/geo/ring.ts';
import { splitPolygon } from '../../../shared/geo/split-polygon.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const reader = new GeoJSONReader(new GeometryFactory());
const SEED = 20_261_127;
const BOX: Box = { left: 0, top: 0, right: 100, bottom: 100 };
const square = (from: number, to: number): Flat => [from, from, to, from, to, to, from, to];

type Ring = [number, number][];
const positions = (ring: Flat): Ring =>
  Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
const closed = (ring: Flat): Ring => [...positions(ring), positions(ring)[0]!];
const areaOf = (polygons: readonly (readonly Flat[])[]) =>
  polygons.flat().reduce((sum, ring) => sum + doubleArea(ring) / 2, 0);

/** Of rings with any winding. */
const groundOf = (polygons: readonly (readonly Flat[])[]) =>
  areaOf(polygons.map((rings) => rings.map((ring, i) => oriented(ring, i === 0))));

const isValid = (polygons: readonly (readonly Flat[])[]): boolean => {
  const coordinates = polygons.map((rings) => rings.map(closed));
  const geometry = reader.read({ type: 'MultiPolygon', coordinates });
  return IsValidOp.isValid(geometry);
};

/** Rings around random triangles of a grid, which often touch themselves, each other and the box. */
function mosaic(random: () => number): Flat[] {
  const edges = new Map<string, Flat>();
  const share = 0.2 + 0.7 * random();
  for (let i = 0; i < 81; i++) {
    const [x, y] = [20 * (i % 9) - 40, 20 * Math.floor(i / 9) - 40];
    const corners = [x, y, x + 20, y, x + 20, y + 20, x, y + 20, x, y];
    for (const triangle of [corners.slice(0, 6), corners.slice(4)]) {
      if (random() > share) continue;
      for (let k = 0; k < 6; k += 2) {
        const edge = [...triangle, ...triangle].slice(k, k + 4);
        const [ax, ay, bx, by] = edge;
        if (!edges.delete(`${bx},${by},${ax},${ay}`)) edges.set(edge.join(), edge);
      }
    }
  }
  const rings: Flat[] = [];
  for (const [first, edge] of edges) {
    edges.delete(first);
    const ring = [edge[0]!, edge[1]!];
    for (let at = edge; at[2] !== edge[0] || at[3] !== edge[1]; ) {
      ring.push(at[2]!, at[3]!);
      const nexts = [...edges.values()].filter(([x, y]) => x === at[2] && y === at[3]);
      at = nexts[Math.floor(random() * nexts.length)]!;
      edges.delete(at.join());
    }
    rings.push(ring);
  }
  return rings;
}

/** A star-shaped ring, which never crosses itself. */
function star(x: number, y: number, size: number, corners: number, random: () => number): Flat {
  return Array.from({ length: corners }, (_, i) => {
    const reach = size * (0.2 + 0.8 * random());
    const angle = (2 * Math.PI * i) / corners;
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
  }).flat();
}

describe('splitPolygon', () => {
  test('returns two polygons if the box separates two arms', () => {
    // A horseshoe that is open at the bottom; only its two arms are in the box.
    const horseshoe = [10, -50, 90, -50, 90, 50, 60, 50, 60, -20, 40, -20, 40, 50, 10, 50];
    const cut = splitPolygon([horseshoe], BOX);
    expect(cut).toHaveLength(2);
    expect(areaOf(cut)).toBe(2 * 30 * 50);
  });

  test('merges a hole that reaches the border into the outer ring', () => {
    const cut = splitPolygon([square(-500, 500), [-20, 40, 20, 40, 20, 60, -20, 60]], BOX);
    expect(cut.map((rings) => rings.length)).toEqual([1]);
    expect(areaOf(cut)).toBe(100 * 100 - 20 * 20);
  });

  test('returns nothing if a hole surrounds the box or the polygon only touches it', () => {
    expect(splitPolygon([square(-500, 500), square(-200, 200)], BOX)).toEqual([]);
    expect(splitPolygon([[-50, 0, 0, 0, 0, 30, 0, 60, 0, 100, -50, 100]], BOX)).toEqual([]);
    expect(splitPolygon([[-50, 0, 0, 50, -50, 100]], BOX)).toEqual([]);
  });

  test('keeps a polygon that touches the border from inside in one piece', () => {
    const ring = [0, 50, 50, 0, 100, 50, 50, 100];
    expect(areaOf(splitPolygon([ring], BOX))).toBe(5000);
  });

  test('joins a hole with an edge along the border to the outer ring', () => {
    const cut = splitPolygon([square(-500, 500), [0, 40, 20, 40, 20, 60, 0, 60]], BOX);
    expect(areaOf(cut)).toBe(100 * 100 - 20 * 20);
    expect(isValid(cut)).toBe(true);
  });

  test('keeps the smaller loop of a ring that crosses itself on the border', () => {
    const bow = [-100, 0, -100, 100, 50, 25, 50, 75];
    expect(groundOf(splitPolygon([bow], BOX))).toBe((50 * 50) / 2);
  });

  test(`never loses ground of rings that touch themselves (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    let valid = 0;
    for (let round = 0; round < (isLong ? 5000 : 80); round++) {
      for (const polygon of groupRings(mosaic(random))) {
        const kept = groundOf(splitPolygon(polygon, BOX));
        const clipped = groundOf([clipPolygon(polygon, BOX)]);
        expect(kept, JSON.stringify(polygon)).toBeGreaterThan(clipped - 1e-6);
        if (!isValid([polygon])) continue;
        valid++;
        expect(kept, JSON.stringify(polygon)).toBeCloseTo(clipped, 6);
      }
    }
    expect(valid).toBeGreaterThan(30);
  });

  for (const [kind, grid] of [
    ['at any place', 1e-9],
    ['on a coarse grid, so that many touch the border', 20],
  ] as const) {
    test(`covers the same area as another library, ${kind} (seed ${SEED})`, () => {
      const random = seededRandom(SEED);
      let parts = 0;
      let judged = 0;
      for (let round = 0; round < (isLong ? 1000 : 250); round++) {
        const [x, y] = [random() * 300 - 100, random() * 300 - 100];
        const onGrid = (ring: Flat): Flat => ring.map((value) => Math.round(value / grid) * grid);
        const outer = onGrid(
          star(x, y, 40 + random() * 300, 5 + Math.floor(random() * 30), random),
        );
        const hole = onGrid(star(x, y, 12 + random() * 40, 7, random));
        const given = { type: 'Polygon', coordinates: [closed(outer), closed(hole)] };
        if (!IsValidOp.isValid(reader.read(given))) continue;
        judged++;
        const cut = splitPolygon([outer, hole], BOX);
        const expected = polygonClipping
          .intersection([positions(outer), positions(hole)], [positions(square(0, 100))])
          .map((rings) => rings.map((ring) => ring.slice(0, -1).flat()));
        expect(Math.abs(areaOf(cut) - areaOf(expected)), `round ${round}`).toBeLessThan(1e-3);
        if (grid < 1) expect(isValid(cut), `round ${round}`).toBe(true);
        parts += cut.length;
      }
      expect(judged).toBeGreaterThan(isLong ? 100 : 25);
      expect(parts).toBeGreaterThan(judged / 4);
    });
  }
});
