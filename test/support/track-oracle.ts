// A simple model of how soundings become tracks: lists of objects that are written as JSON to find their
// size.

import type { TrackLimits } from '../../shared/bathymetry/split-tracks.ts';

/** A sounding of the interface, with the fields in the order that determines its size. */
export interface Sounding {
  readonly latitude: number;
  readonly longitude: number;
  /** Metres below the surface. */
  readonly depth: number;
  /** Epoch milliseconds. */
  readonly time: number;
}

/** The bytes of a list of points as JSON, with a comma after each. */
const sizeOf = (points: readonly Sounding[]): number =>
  points.length === 0 ? 2 : Buffer.byteLength(JSON.stringify(points)) + 1;

/** Sorts by repeated selection of the earliest remaining sounding. */
export function sortSlowly(soundings: readonly Sounding[]): Sounding[] {
  const left = [...soundings];
  const sorted: Sounding[] = [];
  while (left.length > 0) {
    let first = 0;
    for (const [i, { time }] of left.entries()) if (time < left[first]!.time) first = i;
    sorted.push(...left.splice(first, 1));
  }
  return sorted;
}

export function splitSlowly(soundings: readonly Sounding[], limits: TrackLimits): Sounding[][] {
  return gapsOf(soundings, limits.gapMs).flatMap((segment) => fill(segment, limits.maxBytes));
}

function gapsOf(soundings: readonly Sounding[], gapMs: number): Sounding[][] {
  const segments: Sounding[][] = [];
  for (const sounding of sortSlowly(soundings)) {
    const last = segments.at(-1)?.at(-1);
    if (last === undefined || sounding.time > last.time + gapMs) segments.push([sounding]);
    else segments.at(-1)!.push(sounding);
  }
  return segments;
}

function fill(segment: readonly Sounding[], maxBytes: number): Sounding[][] {
  const tracks: Sounding[][] = [];
  for (const sounding of segment) {
    const last = tracks.at(-1);
    if (last === undefined || sizeOf([...last, sounding]) > maxBytes) tracks.push([sounding]);
    else last.push(sounding);
  }
  return tracks;
}

export interface OracleTrack {
  /** The name of the platform, or an empty string. */
  readonly platform: string;
  /** In the order of arrival. */
  readonly points: Sounding[];
}

export interface OracleSummary {
  readonly pointCount: number;
  readonly startTime: number;
  readonly endTime: number;
  readonly merged: boolean;
}

/** Adds a request to the existing tracks, and returns the expected response. */
export function ingestSlowly(
  tracks: OracleTrack[],
  platform: string,
  soundings: readonly Sounding[],
  limits: TrackLimits,
): OracleSummary[] {
  const [first = [], ...later] = gapsOf(soundings, limits.gapMs);
  const open = openTrack(tracks, platform, first, limits);
  const taken = open === undefined ? 0 : roomFor(open, first, limits);
  open?.points.push(...first.slice(0, taken));
  const made = [first.slice(taken), ...later]
    .flatMap((segment) => fill(segment, limits.maxBytes))
    .map((points) => ({ platform, points }));
  tracks.push(...made);
  return [
    ...(open === undefined ? [] : [summaryOf(open, true)]),
    ...made.map((track) => summaryOf(track, false)),
  ];
}

/** The track with the latest end among those with free space and within the gap. */
function openTrack(
  tracks: readonly OracleTrack[],
  platform: string,
  first: readonly Sounding[],
  limits: TrackLimits,
): OracleTrack | undefined {
  const isOpen = (track: OracleTrack) => {
    const [start, end] = spanOf(track.points);
    const taken = first.slice(0, roomFor(track, first, limits));
    const isNear = (points: readonly Sounding[]) =>
      points.length > 0 &&
      points[0]!.time <= end + limits.gapMs &&
      points.at(-1)!.time >= start - limits.gapMs;
    return track.platform === platform && isNear(first) && isNear(taken);
  };
  if (platform === '') return undefined;
  // Among tracks with the same end, the one that was created last.
  return [...tracks]
    .reverse()
    .filter(isOpen)
    .sort((a, b) => spanOf(b.points)[1] - spanOf(a.points)[1])[0];
}

function roomFor({ points }: OracleTrack, first: readonly Sounding[], { maxBytes }: TrackLimits) {
  let taken = 0;
  while (taken < first.length && sizeOf([...points, ...first.slice(0, taken + 1)]) <= maxBytes) {
    taken++;
  }
  return taken;
}

function spanOf(points: readonly Sounding[]): [number, number] {
  const times = points.map(({ time }) => time);
  return [Math.min(...times), Math.max(...times)];
}

function summaryOf({ points }: OracleTrack, merged: boolean): OracleSummary {
  const [startTime, endTime] = spanOf(points);
  return { pointCount: points.length, startTime, endTime, merged };
}
