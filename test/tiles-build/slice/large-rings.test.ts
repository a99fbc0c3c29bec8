// Areas with hundreds of thousands of vertices: rings far from the border of a cell's ground are not passed to the
// polygon engine, whose time grows with the square of their number.

import { describe, expect, it } from 'vitest';
import { boundsOf, type Flat } from '../../../shared/geo/clip-box.ts';
import { doubleArea } from '../../../shared/geo/ring.ts';
import { type Clipper, loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { pathsOf, type Shape } from '../../../tiles-build/slice/cut-shape.ts';
import { cutToFace } from '../../../tiles-build/slice/cut-to-face.ts';

const box = (left: number, top: number, right: number, bottom: number): Flat => [
  ...[left, top, right, top],
  ...[right, bottom, left, bottom],
];

/** A star around a place, with the winding of a hole. */
function star(x: number, y: number, spikes: number): Flat {
  const ring: Flat = [];
  for (let i = 2 * spikes; i > 0; i--) {
    const [radius, turn] = [i % 2 === 0 ? 90_000 : 20_000, (Math.PI * i) / spikes];
    ring.push(Math.round(x + radius * Math.cos(turn)), Math.round(y + radius * Math.sin(turn)));
  }
  return ring;
}

/** The engine, with the number of vertices that it received. */
async function countingClipper() {
  const engine = await loadClipper();
  const verticesOf = (rings: readonly Flat[]) =>
    rings.reduce((sum, ring) => sum + ring.length / 2, 0);
  let [vertices, clipVertices] = [0, 0];
  const intersection: Clipper['intersection'] = (subject, clips) => {
    vertices += verticesOf(subject);
    clipVertices += verticesOf(clips);
    return engine.intersection(subject, clips);
  };
  const clipper: Clipper = { ...engine, intersection };
  return { clipper, given: () => vertices, clips: () => clipVertices };
}

const areaOf = (shape: Shape | undefined): number =>
  shape === undefined ? 0 : pathsOf(shape).reduce((sum, ring) => sum + doubleArea(ring), 0);

const SPIKES = 11_000;
const water = (hole: Flat): Shape => ({
  type: 'area',
  polygons: [[box(-1_000_000, -1_000_000, 1_000_000, 1_000_000), hole]],
});

describe('cutToFace and cutShape', () => {
  it('keep a large hole inside a cell without passing it to the engine', async () => {
    const { clipper, given } = await countingClipper();
    const hole = star(0, 0, SPIKES);
    const face = [box(-1_000_000, -1_000_000, 500_000, 500_000)];
    const cut = cutToFace(water(hole), face, boundsOf(face), clipper);
    expect(given()).toBeLessThan(10);
    expect(areaOf(cut)).toBe(2 * 1_500_000 ** 2 + doubleArea(hole));
    expect(cut?.type === 'area' && cut.polygons.map((rings) => rings.length)).toEqual([2]);
  });

  it('remove a large hole outside of the shown ground', async () => {
    const { clipper, given } = await countingClipper();
    const face = [box(-1_000_000, -1_000_000, -200_000, 1_000_000)];
    const cut = cutToFace(water(star(0, 0, SPIKES)), face, boundsOf(face), clipper);
    expect(given()).toBeLessThan(10);
    expect(areaOf(cut)).toBe(2 * 800_000 * 2_000_000);
  });

  it('cut a hole that the border of the ground crosses', async () => {
    const { clipper } = await countingClipper();
    const hole = star(0, 0, 300);
    const halves = [
      box(-1_000_000, -1_000_000, 0, 1_000_000),
      box(0, -1_000_000, 1_000_000, 1_000_000),
    ];
    const areas = halves.map((face) =>
      areaOf(cutToFace(water(hole), [face], boundsOf([face]), clipper)),
    );
    const whole = 2 * 2_000_000 ** 2 + doubleArea(hole);
    expect(Math.abs(areas[0]! + areas[1]! - whole) / whole).toBeLessThan(1e-5);
  });

  it('cut a shape only to nearby parts of ground with a thousand parts', async () => {
    const { clipper, clips } = await countingClipper();
    const parts = Array.from({ length: 1000 }, (_, i) => {
      const [x, y] = [3000 * (i % 40), 3000 * Math.floor(i / 40)];
      return box(x, y, x + 2000, y + 2000);
    });
    const shape: Shape = { type: 'area', polygons: [[box(30_500, 30_500, 34_000, 34_000)]] };
    const cut = cutToFace(shape, parts, boundsOf(parts), clipper);
    expect(clips()).toBeLessThanOrEqual(16);
    // Four parts with sides of 1500 and 1000 units.
    expect(areaOf(cut)).toBe(2 * (1500 + 1000) ** 2);
  });
});
