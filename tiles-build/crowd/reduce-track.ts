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
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import type { BinBox, ChartDepths } from './chart-depths.ts';
import { type PassList, UNREDUCED } from './passes.ts';

/** What is stored of a track besides its passes. */
export type ReducedTrack = Pick<
  TrackContribution,
  'points' | 'used' | 'rejected' | 'tide' | 'transducer'
>;

interface Reduction {
  readonly soundings: Soundings;
  /** Metres to add to the depths to get the depth below the waterline; 0 if unknown. */
  readonly transducer: number;
  readonly track: number;
  readonly platform: number;
}

const MS_PER_DAY = 86_400_000;
const BINS = 2 ** FINEST_BIN_ZOOM;

/**
 * @param passes receives the passes, of any bins
 * @param chart undefined if no charts are known
 */
export function reduceTrack(
  { soundings, transducer, track, platform }: Reduction,
  tides: TidePredictor,
  chart: ChartDepths | undefined,
  passes: PassList,
): ReducedTrack {
  const { count, longitudes, latitudes, depths, times } = soundings;
  const codes = cleanTrack(soundings);
  const tide = new TrackTides(tides);
  let pass = new Collector();
  let used = 0;
  for (let i = 0; i < count; i++) {
    if (codes[i] !== ACCEPTED) continue;
    const [longitude, latitude, time] = [longitudes[i]!, latitudes[i]!, times[i]!];
    const [column, row] = [mercatorX(longitude) * BINS, mercatorY(latitude) * BINS];
    const [x, y] = [binOf(column), binOf(row)];
    const day = Math.floor(time / MS_PER_DAY);
    if (x !== pass.x || y !== pass.y || day !== pass.day) {
      pass.flush(passes, track, platform);
      pass = new Collector(x, y, day, chart?.at(x, y)?.isLand === true);
    }
    if (pass.isLand) {
      codes[i] = codeOf('land');
      continue;
    }
    const height = tide.heightAt(longitude, latitude, time);
    pass.add(depths[i]! + transducer - height, column, row, tide);
    used++;
  }
  pass.flush(passes, track, platform);
  return {
    points: count,
    used,
    rejected: countRejections(codes),
    tide: tide.summary(),
    transducer,
  };
}

/** The finest bins around soundings. */
export function boxOfSoundings({ count, longitudes, latitudes }: Soundings): BinBox {
  const box = { fromX: BINS, fromY: BINS, endX: 0, endY: 0 };
  for (let i = 0; i < count; i++) {
    const [x, y] = [
      binOf(mercatorX(longitudes[i]!) * BINS),
      binOf(mercatorY(latitudes[i]!) * BINS),
    ];
    box.fromX = Math.min(box.fromX, x);
    box.fromY = Math.min(box.fromY, y);
    box.endX = Math.max(box.endX, x + 1);
    box.endY = Math.max(box.endY, y + 1);
  }
  return box;
}

const binOf = (place: number): number => Math.min(BINS - 1, Math.floor(place));

/** Collects the soundings of one pass. */
class Collector {
  readonly x: number;
  readonly y: number;
  readonly day: number;
  readonly isLand: boolean;
  #count = 0;
  #first = 0;
  /** Sums of depth from the first, and of the position from the centre, and of their products. */
  readonly #sums = new Float64Array(9);
  #least = Number.POSITIVE_INFINITY;
  #tide = 0;
  #flags = 0;

  constructor(x = -1, y = -1, day = -1, isLand = false) {
    this.x = x;
    this.y = y;
    this.day = day;
    this.isLand = isLand;
  }

  /** @param column,row position on the grid of finest bins */
  add(
    depth: number,
    column: number,
    row: number,
    tide: { readonly sigma: number; readonly isReduced: boolean },
  ): void {
    if (this.#count === 0) this.#first = depth;
    const [u, v, d] = [column - this.x - 0.5, row - this.y - 0.5, depth - this.#first];
    this.#count++;
    for (const [i, one] of [u, v, d, u * u, u * v, v * v, u * d, v * d, d * d].entries())
      this.#sums[i]! += one;
    this.#least = Math.min(this.#least, depth);
    this.#tide = Math.max(this.#tide, tide.sigma);
    if (!tide.isReduced) this.#flags |= UNREDUCED;
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
