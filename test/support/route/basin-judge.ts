// The widest way between two positions of a basin, found on a raster that GDAL makes of the cell: the
// way with the largest minimum distance from unsafe ground. It shares no code with the planner or the
// build.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASIN_METERS, BASIN_NAME, DEEP_METERS, type Place, positionOf } from './random-basins.ts';

/** Width of a pixel, in metres. Every distance is exact to 1.5 pixels. */
export const PIXEL_METERS = 1;
const BEYOND_METERS = 20;
const SIDE = (BASIN_METERS + 2 * BEYOND_METERS) / PIXEL_METERS;
/** The number of distance levels per pixel in the search. */
const STEPS_PER_PIXEL = 8;

export interface WidestWay {
  /** The minimum distance from unsafe ground on the way, in metres; 0 if there is no way. */
  readonly radius: number;
  readonly at: Place;
}

export class BasinJudge {
  /** Metres from the centre of each pixel to unsafe ground, rows from north to south. */
  readonly #distances: Float64Array;

  constructor(cell: Uint8Array) {
    this.#distances = distancesTo(unsafePixels(cell));
  }

  distanceAt(place: Place): number {
    return this.#distances[indexOf(place)]!;
  }

  widest(from: Place, to: Place): WidestWay {
    const distances = this.#distances;
    const [start, goal] = [indexOf(from), indexOf(to)];
    const levelOf = (i: number) => Math.floor(distances[i]! * STEPS_PER_PIXEL);
    const narrowest = new Int32Array(distances.length).fill(-1);
    const waiting: number[][] = [];
    const add = (i: number, tightest: number) => {
      narrowest[i] = distances[i]! < distances[tightest]! ? i : tightest;
      const level = levelOf(narrowest[i]!);
      waiting[level] ??= [];
      waiting[level].push(i);
    };
    add(start, start);
    for (let level = waiting.length - 1; level > 0; level--) {
      for (let i = waiting[level]?.pop(); i !== undefined; i = waiting[level]!.pop()) {
        if (i === goal) {
          const at = narrowest[i]!;
          return { radius: distances[at]!, at: placeOfIndex(at) };
        }
        for (const next of [i - 1, i + 1, i - SIDE, i + SIDE]) {
          if (distances[next]! > 0 && narrowest[next] === -1) add(next, narrowest[i]!);
        }
      }
    }
    return { radius: 0, at: from };
  }

  /**
   * The widest angle between two directions, in degrees, with unsafe ground within a radius: about 180
   * between the two sides of a passage, and small next to a single shore.
   */
  angleBetweenSides([east, north]: Place, radius: number): number {
    const directions: number[] = [];
    for (let y = -radius; y <= radius; y += PIXEL_METERS) {
      for (let x = -radius; x <= radius; x += PIXEL_METERS) {
        const isNear = Math.hypot(x, y) <= radius;
        if (isNear && this.distanceAt([east + x, north + y]) === 0)
          directions.push(Math.atan2(y, x));
      }
    }
    let widest = 0;
    for (const a of directions) {
      for (const b of directions) {
        const angle = Math.abs(a - b);
        widest = Math.max(widest, Math.min(angle, 2 * Math.PI - angle));
      }
    }
    return (widest * 180) / Math.PI;
  }
}

/** 1 for each pixel that contains unsafe ground. */
function unsafePixels(cell: Uint8Array): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-basin-'));
  try {
    const path = join(folder, `${BASIN_NAME}.000`);
    writeFileSync(path, cell);
    const out = join(folder, 'unsafe.img');
    const corner = -BEYOND_METERS;
    const [west, south] = positionOf([corner, corner]);
    const [east, north] = positionOf([BASIN_METERS - corner, BASIN_METERS - corner]);
    const frame = ['-te', west, south, east, north, '-ts', SIDE, SIDE, '-ot', 'Byte'].map(String);
    const burn = (layer: string, value: number, options: readonly string[]) =>
      execFileSync(
        'gdal_rasterize',
        ['-q', '-l', layer, '-burn', String(value), ...options, path, out],
        { stdio: ['ignore', 'ignore', 'pipe'] },
      );
    const isDeep = `DRVAL1 >= ${DEEP_METERS}`;
    burn('DEPARE', 0, ['-init', '1', '-of', 'ENVI', ...frame, '-where', isDeep]);
    burn('DEPARE', 1, ['-at', '-where', `NOT (${isDeep})`]);
    burnIfPresent(() => burn('LNDARE', 1, ['-at']));
    return new Uint8Array(readFileSync(out));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A cell without land does not have the layer. */
function burnIfPresent(burn: () => void): void {
  try {
    burn();
  } catch (error) {
    if (!String((error as { stderr?: unknown }).stderr).includes('LNDARE')) throw error;
  }
}

/** Metres from each pixel to the nearest set pixel, between centres (Felzenszwalb and Huttenlocher). */
function distancesTo(pixels: Uint8Array): Float64Array {
  const squares = new Float64Array(pixels.length);
  for (let i = 0; i < pixels.length; i++) squares[i] = pixels[i] === 1 ? 0 : 4 * SIDE * SIDE;
  for (let i = 0; i < SIDE; i++) lowerEnvelope(squares, i, SIDE);
  for (let i = 0; i < SIDE; i++) lowerEnvelope(squares, i * SIDE, 1);
  return squares.map((square) => Math.sqrt(square) * PIXEL_METERS);
}

function lowerEnvelope(squares: Float64Array, first: number, step: number): void {
  const heights = Float64Array.from({ length: SIDE }, (_, i) => squares[first + i * step]!);
  const centers = new Int32Array(SIDE);
  const borders = new Float64Array(SIDE + 1);
  const meet = (a: number, b: number) =>
    (heights[a]! + a * a - heights[b]! - b * b) / (2 * (a - b));
  let last = 0;
  borders[0] = Number.NEGATIVE_INFINITY;
  for (let i = 1; i < SIDE; i++) {
    while (last >= 0 && meet(i, centers[last]!) <= borders[last]!) last--;
    last++;
    centers[last] = i;
    borders[last] = last === 0 ? Number.NEGATIVE_INFINITY : meet(i, centers[last - 1]!);
  }
  borders[last + 1] = Number.POSITIVE_INFINITY;
  for (let i = 0, k = 0; i < SIDE; i++) {
    while (borders[k + 1]! < i) k++;
    squares[first + i * step] = heights[centers[k]!]! + (i - centers[k]!) ** 2;
  }
}

function pixelOf([east, north]: Place): readonly [column: number, row: number] {
  return [
    Math.floor((east + BEYOND_METERS) / PIXEL_METERS),
    SIDE - 1 - Math.floor((north + BEYOND_METERS) / PIXEL_METERS),
  ];
}

function indexOf(place: Place): number {
  const [column, row] = pixelOf(place);
  return row * SIDE + column;
}

function placeOfIndex(i: number): Place {
  const [column, row] = [i % SIDE, Math.floor(i / SIDE)];
  const half = PIXEL_METERS / 2;
  return [
    column * PIXEL_METERS + half - BEYOND_METERS,
    (SIDE - 1 - row) * PIXEL_METERS + half - BEYOND_METERS,
  ];
}
