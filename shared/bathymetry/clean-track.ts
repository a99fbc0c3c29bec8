// Finds the soundings of a track that must not be used. Soundings are in the order of time.

import { REJECTIONS, type Rejection } from '../crowd/contribution.ts';
import { distanceMeters } from '../geo/earth.ts';
import type { Soundings } from './soundings.ts';

/** Code of an accepted sounding. */
export const ACCEPTED = 0;
/** Code of a rejected sounding: the position of the reason in `REJECTIONS`, from 1. */
export const codeOf = (reason: Rejection): number => REJECTIONS.indexOf(reason) + 1;
const [JUMP, SPEED] = [codeOf('jump'), codeOf('speed')];

/** Echo sounders of small vessels send 0 or their greatest range if they find no bottom. */
const MIN_DEPTH = 0.2;
const GREATEST_DEPTH = 1200;
/** Faster, air under the hull disturbs the echo: 25 knots, metres per second. */
const MAX_SPEED = 12.9;
/** No position changes faster: 60 knots. The allowance is for errors of positions, metres. */
const JUMP_SPEED = 30.9;
const POSITION_METERS = 30;
/** Longer intervals separate segments, milliseconds. */
const GAP_MS = 300_000;
/** Segments with fewer soundings cannot be checked. */
const MIN_SEGMENT = 5;
/** Hampel filter (F. R. Hampel, 1974): neighbours on each side, and the limit in deviations. */
const NEIGHBOURS = 5;
const DEVIATIONS = 4;
/** Standard deviation of a normal distribution per median absolute deviation. */
const SIGMA_PER_MAD = 1.4826;
/** Least limit: metres, and share of the depth. */
const MIN_LIMIT = 0.3;
const MIN_LIMIT_SHARE = 0.03;
/** Least height of an outlier as a share of its neighbour's, if both are of one rock. */
const AGREEING = 0.5;

/**
 * The code of each sounding. Checks that need a chart (`land`) or other tracks (`contradicted`) are
 * made by the caller.
 */
export function cleanTrack(soundings: Soundings): Uint8Array {
  const codes = new Uint8Array(soundings.count);
  rejectAlone(soundings, codes);
  const accepted = rejectMotion(soundings, codes);
  for (const segment of segmentsOf(soundings, accepted)) {
    if (segment.length < MIN_SEGMENT) for (const i of segment) codes[i] = codeOf('short');
    else rejectOutliers(soundings.depths, segment, codes);
  }
  return codes;
}

/** Soundings that are wrong whatever their neighbours are. */
function rejectAlone(soundings: Soundings, codes: Uint8Array): void {
  const { count, latitudes, longitudes, depths, times } = soundings;
  let last = -1;
  for (let i = 0; i < count; i++) {
    const depth = depths[i]!;
    if (!(depth >= MIN_DEPTH && depth <= GREATEST_DEPTH)) {
      codes[i] = codeOf('range');
      continue;
    }
    const isSame =
      times[i] === times[last] &&
      latitudes[i] === latitudes[last] &&
      longitudes[i] === longitudes[last];
    // The least depth is kept.
    if (isSame) codes[depth < depths[last]! ? last : i] = codeOf('duplicate');
    if (codes[i] === ACCEPTED) last = i;
  }
}

/** @returns indices of the remaining soundings */
function rejectMotion(soundings: Soundings, codes: Uint8Array): number[] {
  const { count, times } = soundings;
  const kept: number[] = [];
  /** Number of the last kept soundings that agree. */
  let run = 0;
  /** The last soundings, which jumped from the kept ones and agree with each other. */
  let away: number[] = [];
  for (let i = 0; i < count; i++) {
    if (codes[i] !== ACCEPTED) continue;
    const last = kept.at(-1);
    const isFirst = last === undefined || times[i]! - times[last]! > GAP_MS;
    codes[i] = isFirst ? ACCEPTED : motionCode(soundings, last, i);
    if (codes[i] !== JUMP) {
      run = isFirst ? 1 : run + 1;
      away = [];
      kept.push(i);
      continue;
    }
    if (away.length > 0 && motionCode(soundings, away.at(-1)!, i) === JUMP) away = [];
    away.push(i);
    if (away.length <= MIN_SEGMENT) continue;
    // The boat is here. If the earlier positions are few, they were the wrong ones.
    const isWrong = run < MIN_SEGMENT;
    if (isWrong) for (const k of kept.splice(kept.length - run)) codes[k] = JUMP;
    const found = isWrong ? away : [i];
    for (const [k, j] of found.entries()) {
      codes[j] = k === 0 ? ACCEPTED : motionCode(soundings, found[k - 1]!, j);
      kept.push(j);
    }
    run = found.length;
    away = [];
  }
  return kept.filter((i) => codes[i] === ACCEPTED);
}

/** Code of a sounding by its distance from an earlier one. */
function motionCode(soundings: Soundings, from: number, to: number): number {
  const { latitudes, longitudes, times } = soundings;
  const seconds = (times[to]! - times[from]!) / 1000;
  const meters = distanceMeters(
    longitudes[from]!,
    latitudes[from]!,
    longitudes[to]!,
    latitudes[to]!,
  );
  if (meters > JUMP_SPEED * seconds + POSITION_METERS) return JUMP;
  return meters > MAX_SPEED * seconds + POSITION_METERS ? SPEED : ACCEPTED;
}

/** Runs of soundings without a gap. */
function segmentsOf({ times }: Soundings, accepted: readonly number[]): number[][] {
  const segments: number[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const i of accepted) {
    if (times[i]! - last > GAP_MS) segments.push([]);
    segments.at(-1)!.push(i);
    last = times[i]!;
  }
  return segments;
}

function rejectOutliers(depths: Float64Array, segment: readonly number[], codes: Uint8Array): void {
  const near = new Float64Array(2 * NEIGHBOURS + 1);
  /** Heights of shoaler outliers above the median, by position in the segment. */
  const heights = new Map<number, number>();
  for (let k = 0; k < segment.length; k++) {
    const from = Math.max(0, Math.min(k - NEIGHBOURS, segment.length - near.length));
    const size = Math.min(near.length, segment.length - from);
    for (let j = 0; j < size; j++) near[j] = depths[segment[from + j]!]!;
    const depth = depths[segment[k]!]!;
    const middle = medianOf(near, size);
    const away = Math.abs(depth - middle);
    const least = MIN_LIMIT + MIN_LIMIT_SHARE * middle;
    if (away <= least) continue;
    for (let j = 0; j < size; j++) near[j] = Math.abs(near[j]! - middle);
    if (away <= Math.max(least, DEVIATIONS * SIGMA_PER_MAD * medianOf(near, size))) continue;
    codes[segment[k]!] = codeOf('outlier');
    if (depth < middle) heights.set(k, away);
  }
  // Two that follow each other and agree are a rock. Errors of single echoes do not agree.
  for (const [k, height] of heights) {
    const next = heights.get(k + 1) ?? 0;
    if (Math.min(height, next) < AGREEING * Math.max(height, next)) continue;
    codes[segment[k]!] = ACCEPTED;
    codes[segment[k + 1]!] = ACCEPTED;
  }
}

/** Sorts the first `size` values, which are few, and returns the middle one. */
function medianOf(values: Float64Array, size: number): number {
  for (let i = 1; i < size; i++) {
    const value = values[i]!;
    let j = i - 1;
    while (j >= 0 && values[j]! > value) {
      values[j + 1] = values[j]!;
      j--;
    }
    values[j + 1] = value;
  }
  return values[size >> 1]!;
}

/** Number of soundings by reason; reasons without soundings are absent. */
export function countRejections(codes: Uint8Array): Partial<Record<Rejection, number>> {
  const counts: Partial<Record<Rejection, number>> = {};
  for (const code of codes) {
    if (code === ACCEPTED) continue;
    const reason = REJECTIONS[code - 1]!;
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}
