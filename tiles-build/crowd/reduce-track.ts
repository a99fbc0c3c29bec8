// A track as passes: soundings are checked, corrected for the transducer and reduced to chart datum.

import {
  ACCEPTED,
  cleanTrack,
  codeOf,
  countRejections,
} from '../../shared/bathymetry/clean-track.ts';
import type { Soundings } from '../../shared/bathymetry/soundings.ts';
import { FINEST_BIN_ZOOM } from '../../shared/crowd/bin.ts';
import type { TrackContribution } from '../../shared/crowd/contribution.ts';
import { TrackTides } from '../../shared/crowd/track-tides.ts';
import type { TidePredictor } from '../../shared/crowd/water-level.ts';
import { MAX_LATITUDE, mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import { type PassList, UNREDUCED } from './passes.ts';

/** What is stored of a track besides its passes. */
export type ReducedTrack = Pick<
  TrackContribution,
  'points' | 'used' | 'rejected' | 'tide' | 'transducer'
>;

interface Reduction {
  readonly soundings: Soundings;
  /**
   * Metres to add to the depths to get the depth below the waterline; 0 if unknown, `undefined` if the
   * depths cannot be used because of their reference.
   */
  readonly transducer: number | undefined;
  readonly track: number;
  readonly platform: number;
}

const MS_PER_DAY = 86_400_000;
const BINS = 2 ** FINEST_BIN_ZOOM;

/**
 * Does not depend on charts, so that a state keeps its passes if the charts change.
 * @param passes receives the passes, of any bins
 */
export function reduceTrack(
  { soundings, transducer, track, platform }: Reduction,
  tides: TidePredictor,
  passes: PassList,
): ReducedTrack {
  const { count, longitudes, latitudes, depths, times } = soundings;
  const codes = cleanTrack(soundings);
  if (transducer === undefined) codes.fill(codeOf('reference'));
  const tide = new TrackTides(tides);
  const offset = transducer ?? 0;
  let pass = new Collector();
  let used = 0;
  for (let i = 0; i < count; i++) {
    if (codes[i] !== ACCEPTED) continue;
    const [longitude, latitude, time] = [longitudes[i]!, latitudes[i]!, times[i]!];
    if (Math.abs(latitude) >= MAX_LATITUDE) {
      codes[i] = codeOf('range');
      continue;
    }
    const [column, row] = [mercatorX(longitude) * BINS, mercatorY(latitude) * BINS];
    const [x, y] = [binOf(column), binOf(row)];
    const day = Math.floor(time / MS_PER_DAY);
    if (x !== pass.x || y !== pass.y || day !== pass.day) {
      pass.flush(passes, track, platform);
      pass = new Collector(x, y, day);
    }
    const height = tide.heightAt(longitude, latitude, time);
    pass.add(depths[i]! + offset - height, column, row, tide);
    used++;
  }
  pass.flush(passes, track, platform);
  return {
    points: count,
    used,
    rejected: countRejections(codes),
    tide: tide.summary(),
    transducer: offset,
  };
}

/** Near the edges of the map, rounding can leave the grid. */
const binOf = (place: number): number => Math.max(0, Math.min(BINS - 1, Math.floor(place)));

/** Collects the soundings of one pass. */
class Collector {
  readonly x: number;
  readonly y: number;
  readonly day: number;
  #count = 0;
  #first = 0;
  /** Sums of depth from the first, and of the position from the centre, and of their products. */
  readonly #sums = new Float64Array(9);
  #least = Number.POSITIVE_INFINITY;
  #tide = 0;
  #flags = 0;

  constructor(x = -1, y = -1, day = -1) {
    this.x = x;
    this.y = y;
    this.day = day;
  }

  /** @param column,row position on the grid of finest bins */
  add(depth: number, column: number, row: number, tide: Pick<TrackTides, 'sigma' | 'datum'>): void {
    if (this.#count === 0) this.#first = depth;
    const [u, v, d] = [column - this.x - 0.5, row - this.y - 0.5, depth - this.#first];
    this.#count++;
    for (const [i, one] of [u, v, d, u * u, u * v, v * v, u * d, v * d, d * d].entries())
      this.#sums[i]! += one;
    this.#least = Math.min(this.#least, depth);
    this.#tide = Math.max(this.#tide, tide.sigma);
    if (tide.datum === undefined) this.#flags |= UNREDUCED;
  }

  flush(passes: PassList, track: number, platform: number): void {
    const count = this.#count;
    if (count === 0) return;
    const [su, sv, sd, uu, uv, vv, ud, vd, dd] = this.#sums as unknown as number[];
    const [u, v, d] = [su! / count, sv! / count, sd! / count];
    passes.add({
      x: this.x,
      y: this.y,
      track,
      platform,
      count,
      mean: this.#first + d,
      least: this.#least,
      spread: Math.sqrt(Math.max(0, dd! / count - d * d)),
      u,
      v,
      uu: uu! - u * su!,
      uv: uv! - u * sv!,
      vv: vv! - v * sv!,
      ud: ud! - u * sd!,
      vd: vd! - v * sd!,
      tide: this.#tide,
      day: this.day,
      flags: this.#flags,
    });
  }
}
