// The ground of the fictional Lantern Isles: heights as one formula, from the deep ocean to the
// harbour, so that all usage bands are charts of the same place in different detail.

import type { Position } from '../../../shared/s57/write/cell-builder.ts';
import { FLATS, MOUNDS, type Mound, RIVERS, SKERRIES } from './landforms.ts';
import { noise } from './noise.ts';
import { bedAt, type Course, courseOf, nearestOn } from './rivers.ts';

/** Origin of the kilometre coordinates below, in degrees: open ocean in the South Atlantic. */
export const ORIGIN = { longitude: -20, latitude: -30 } as const;
const KILOMETERS_PER_DEGREE_EAST = 96.4;
const KILOMETERS_PER_DEGREE_NORTH = 110.9;
const UNITS_PER_DEGREE = 10_000_000;

/** A position from kilometres east and north of the origin. */
export function at(east: number, north: number): Position {
  return [
    Math.round((ORIGIN.longitude + east / KILOMETERS_PER_DEGREE_EAST) * UNITS_PER_DEGREE),
    Math.round((ORIGIN.latitude + north / KILOMETERS_PER_DEGREE_NORTH) * UNITS_PER_DEGREE),
  ];
}

/**
 * Height of the ground at a position in 1e-7 degrees, in metres.
 * @param detail kilometres, as in `heightAt`
 */
export const heightAtPosition = (x: number, y: number, detail: number): number =>
  heightAt(
    (x / UNITS_PER_DEGREE - ORIGIN.longitude) * KILOMETERS_PER_DEGREE_EAST,
    (y / UNITS_PER_DEGREE - ORIGIN.latitude) * KILOMETERS_PER_DEGREE_NORTH,
    detail,
  );

/**
 * A wave of noise: its length in kilometres, and its height in kilometres or metres, depending on
 * the table.
 */
interface Wave {
  readonly length: number;
  readonly size: number;
}

const waves = (...rows: readonly (readonly [length: number, size: number])[]): readonly Wave[] =>
  rows.map(([length, size]) => ({ length, size }));

/** Displacement of shores in kilometres; the longest waves first. */
const WARPS = waves(
  [17, 4.2],
  [7, 2],
  [2.8, 0.75],
  [1.15, 0.27],
  [0.45, 0.1],
  [0.18, 0.04],
  [0.07, 0.014],
);
/** Hills and valleys as fractions of the isles' height; the longest waves first. */
const HILLS = waves([6, 0.42], [2.6, 0.26], [1.1, 0.13], [0.5, 0.06]);
/** Unevenness of the sea bed in metres; the longest waves first. */
const ROUGHNESS = waves(
  [90, 180],
  [24, 40],
  [6, 9],
  [2.1, 4.5],
  [0.8, 2.2],
  [0.3, 0.7],
  [0.12, 0.25],
);
/** Longer waves apply only to the ocean floor: near the isles they would flood the bay. */
const LONG_WAVE = 10;
/**
 * Kilometres from the origin within which long waves are reduced, to keep the designed shape of the
 * bay.
 */
const BAY = 7;
/** The fraction of the long waves that remains there. */
const OF_WAVES_IN_BAY = 0.08;
/**
 * Depth at which the slope of the shore changes to that of the sea bed, and height at which it
 * changes to that of the land; metres.
 */
const SHELF_DEPTH = 26;
const SHELF_HEIGHT = 30;
/** Squared distance from the centre, in widths, beyond which a mound adds nothing. */
const MOUND_REACH = 12;

const COURSES: readonly Course[] = RIVERS.map(courseOf);

/**
 * Height of the ground above chart datum, in metres.
 * @param east kilometres from the origin, like `north`
 * @param detail kilometres; smaller shapes are smoothed away, as by a cartographer
 */
export function heightAt(east: number, north: number, detail: number): number {
  const shortest = 2 * detail;
  const calm = Math.min(1, ((east * east + north * north) / (BAY * BAY)) ** 2);
  let e = east;
  let n = north;
  for (let i = 0; i < WARPS.length; i++) {
    const { length, size } = WARPS[i]!;
    if (length < shortest) break;
    const reach = length > 2 ? size * Math.max(calm, OF_WAVES_IN_BAY) : size;
    e += reach * noise(east / length + 31.7, north / length);
    n += reach * noise(east / length, north / length + 57.3);
  }
  let isles = 0;
  for (let i = 0; i < MOUNDS.length; i++) isles += heightOf(MOUNDS[i]!, e, n);
  if (isles > 4) {
    let hills = 1;
    for (let i = 0; i < HILLS.length; i++) {
      const { length, size } = HILLS[i]!;
      if (length < shortest) break;
      hills += size * calm * noise(e / length - 12.6, n / length + 4.4);
    }
    isles *= hills;
  }
  // The edge of the shelf is irregular.
  const far =
    Math.sqrt(east * east + (north - 4) * (north - 4)) *
    (1 + 0.3 * noise(east / 45 + 7.5, north / 45 - 3.5));
  const ocean = far < 12 ? 0 : -3600 * (1 - Math.exp(-((far / 165) ** 3)));
  let height = -34 - 26 * Math.log1p(far / 14) + ocean + isles;
  for (let i = 0; i < ROUGHNESS.length; i++) {
    const { length, size } = ROUGHNESS[i]!;
    if (length < shortest) break;
    const share = length > LONG_WAVE ? Math.min(1, far / 60) : 1;
    // Rotated, so that nothing on the sea bed is aligned with meridians and parallels.
    const across = (0.83 * east + 0.56 * north) / length;
    const along = (0.83 * north - 0.56 * east) / length;
    height += size * share * noise(across + length, along - length);
  }
  height = shoreProfile(height, east, north);
  for (let i = 0; i < FLATS.length; i++) {
    const flat = heightOf(FLATS[i]!, e, n);
    if (flat > 0) height += flat * easeBetween(height, -13, -3) * (1 - easeBetween(height, 0, 2));
  }
  for (let i = 0; i < COURSES.length; i++) {
    const near = nearestOn(COURSES[i]!, east, north);
    if (near === undefined || near.halfWidth < detail / 2) continue;
    height = smoothLeast(height, bedAt(COURSES[i]!, near), 0.7);
  }
  return height + rocksAt(east, north, shortest);
}

function heightOf(mound: Mound, e: number, n: number): number {
  const across = (e - mound.east) / mound.width;
  const along = (n - mound.north) / mound.length;
  const squared = across * across + along * along;
  return squared > MOUND_REACH ? 0 : mound.height * Math.exp(-squared);
}

/** Soft shores are flat at the water's edge and steeper away from it. */
function shoreProfile(height: number, east: number, north: number): number {
  const limit = height < 0 ? SHELF_DEPTH : SHELF_HEIGHT;
  const size = Math.abs(height);
  if (size >= limit) return height;
  const share = limit * (size / limit) ** (1 + 0.95 * softnessAt(east, north));
  return height < 0 ? -share : share;
}

/** From 0 for steep rock to 1 for gently sloping sand. */
function softnessAt(east: number, north: number): number {
  const inBay = Math.exp(-(((east - 0.2) / 5.6) ** 2) - ((north - 0.6) / 2.6) ** 2);
  const beaches = 0.28 + 0.5 * noise(east / 5 + 11.3, north / 5 - 4.1);
  return Math.min(1, Math.max(0, beaches + inBay));
}

/** 0 below `from`, 1 above `to`, smooth between. */
function easeBetween(value: number, from: number, to: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/** The smaller of two heights, without a crease at their intersection. */
function smoothLeast(a: number, b: number, reach: number): number {
  const h = Math.min(1, Math.max(0, 0.5 + (0.5 * (b - a)) / reach));
  return b + (a - b) * h - reach * h * (1 - h);
}

/** Height that rocks add: peaks where noises of several lengths are high together. */
function rocksAt(east: number, north: number, shortest: number): number {
  let rocks = 0;
  for (let i = 0; i < SKERRIES.length; i++) {
    const { east: e, north: n, width, length, height } = SKERRIES[i]!;
    const across = (east - e) / width;
    const along = (north - n) / length;
    const squared = across * across + along * along;
    if (squared > 4) continue;
    // Longer than wide, because rocks form ledges.
    const u = east * 0.8 + north * 0.6;
    const v = (north * 0.8 - east * 0.6) * 1.9;
    let peaks = -0.12;
    for (let wave = width / 1.6, size = 0.8; wave >= shortest && wave > width / 16; wave /= 2.4) {
      peaks += noise(u / wave + 3.1, v / wave - 8.7) * size;
      size *= 0.68;
    }
    if (peaks > 0) rocks += height * Math.exp(-squared) * peaks;
  }
  return rocks;
}
