// Predicts the height of tide at a position from the harmonic constants of the nearest stations, by
// the library @neaps/tide-predictor. Heights contain astronomical tide only, no weather.

import { createTidePredictor, type TidePrediction } from '@neaps/tide-predictor';
import { distanceMeters } from '../geo/earth.ts';
import type { TideStation, TideTable } from './tide-table.ts';

export type WaterLevel =
  | {
      readonly reduced: true;
      /** Metres above the chart datum of the station. */
      readonly height: number;
      /** The nearest station. Up to two others may contribute (`others`). */
      readonly station: TideStation;
      readonly others: readonly TideStation[];
      /** Metres from the position to the station. */
      readonly distance: number;
      /** 95 % uncertainty, metres. */
      readonly error95: number;
    }
  | {
      /** No station is near enough. */
      readonly reduced: false;
      /** Tidal range to expect, metres. */
      readonly error95: number;
    };

/** Stations farther away do not represent the tide of a position. */
export const MAX_STATION_METERS = 50_000;
/** Farther stations than this multiple of the nearest distance, plus 5 km, are not used. */
const OTHERS_WITHIN = 3;
const OTHERS_METERS = 5000;
const MAX_STATIONS = 3;
/** Metres per degree of latitude, at most. */
const METERS_PER_DEGREE = 110_500;

/** If no station is near, the range is that of the nearest station within this distance, otherwise the default. */
const RANGE_METERS = 1_000_000;
const DEFAULT_RANGE = 4;

/**
 * 95 % error of a prediction: the sum of squares of the weather (surge and pressure outside storms),
 * and of a share of the tidal range that grows with the distance. The shares come from predicting each
 * station of the database from its neighbours.
 */
const WEATHER_95 = 0.3;
const RANGE_SHARE_95 = 0.1;
const RANGE_SHARE_95_PER_KM = 0.004;

const MS_PER_STEP = 600_000;
const STEPS_PER_DAY = 144;
/** High and low water follow within this many steps, also with one of each a day. */
const TURN_STEPS = 180;
const MS_PER_DAY = MS_PER_STEP * STEPS_PER_DAY;
/** Cached days of stations; a day takes 600 bytes. */
const MAX_DAYS = 4096;

interface Near {
  readonly index: number;
  readonly meters: number;
}

/** The stations for a position, of one chart datum, nearest first, and their weights, which add up to 1. */
interface Choice {
  readonly stations: readonly Near[];
  readonly weights: readonly number[];
  readonly error95: number;
}

/** High or low water. */
export interface TideTurn {
  readonly isHigh: boolean;
  /** Epoch milliseconds. */
  readonly time: number;
  /** Metres above chart datum. */
  readonly height: number;
}

/** Predictions from one table, with the curves of recent days in memory. */
export class TidePredictor {
  readonly #table: TideTable;
  readonly #predictions = new Map<number, TidePrediction>();
  readonly #days = new Map<string, Float32Array>();

  constructor(table: TideTable) {
    this.#table = table;
  }

  /**
   * The height at a position and time.
   * @param position longitude and latitude in degrees
   * @param time epoch milliseconds
   */
  predict(position: readonly [longitude: number, latitude: number], time: number): WaterLevel {
    const choice = this.choose(position);
    if ('range' in choice) return { reduced: false, error95: choice.range };
    const [first, ...others] = choice.stations.map(({ index }) => this.#table.station(index));
    return {
      reduced: true,
      height: this.heightOf(choice, time),
      station: first!,
      others,
      distance: choice.stations[0]!.meters,
      error95: choice.error95,
    };
  }

  /** The stations for a position, or the tidal range if none is near. */
  choose(position: readonly [number, number]): Choice | { readonly range: number } {
    const near = this.#nearest(position, MAX_STATION_METERS);
    if (near.length === 0) {
      const far = this.#nearest(position, RANGE_METERS)[0];
      return { range: far === undefined ? DEFAULT_RANGE : this.#table.range(far.index) };
    }
    const reach = near[0]!.meters * OTHERS_WITHIN + OTHERS_METERS;
    const stations = near.filter(({ meters }) => meters <= reach);
    const shares = stations.map(({ meters }) => 1 / Math.max(meters, 100) ** 2);
    const total = shares.reduce((sum, one) => sum + one, 0);
    const kilometers = near[0]!.meters / 1000;
    const share = RANGE_SHARE_95 + RANGE_SHARE_95_PER_KM * kilometers;
    const range = Math.max(...stations.map(({ index }) => this.#table.range(index)));
    return {
      stations,
      weights: shares.map((one) => one / total),
      error95: Math.hypot(WEATHER_95, share * range),
    };
  }

  /** Height of tide above chart datum at a time, metres. */
  heightOf({ stations, weights }: Choice, time: number): number {
    return stations.reduce(
      (sum, { index }, i) => sum + weights[i]! * this.#heightAt(index, time),
      0,
    );
  }

  /** The next high and low water at a position, in the order of time. */
  turnsAfter(position: readonly [number, number], time: number): readonly TideTurn[] {
    const choice = this.choose(position);
    if ('range' in choice) return [];
    const turns: TideTurn[] = [];
    const at = (step: number) => this.heightOf(choice, step * MS_PER_STEP);
    // The highest or lowest step may be just past while the vertex is still ahead.
    const first = Math.floor(time / MS_PER_STEP);
    for (let step = first; step < first + TURN_STEPS && turns.length < 2; step++) {
      const [before, height, after] = [at(step - 1), at(step), at(step + 1)];
      const isHigh = height > before && height >= after;
      if (!isHigh && !(height < before && height <= after)) continue;
      if (turns.some((turn) => turn.isHigh === isHigh)) continue;
      // The vertex of the parabola through the three heights.
      const part = (before - after) / (2 * (before - 2 * height + after));
      const turn = {
        isHigh,
        time: (step + part) * MS_PER_STEP,
        height: height - ((before - after) * part) / 4,
      };
      if (turn.time > time) turns.push(turn);
    }
    return turns;
  }

  station(index: number): TideStation {
    return this.#table.station(index);
  }

  #nearest([longitude, latitude]: readonly [number, number], limit: number): Near[] {
    const near: Near[] = [];
    const degrees = limit / METERS_PER_DEGREE;
    for (let index = 0; index < this.#table.count; index++) {
      const northing = this.#table.latitude(index);
      if (Math.abs(northing - latitude) > degrees) continue;
      const meters = distanceMeters(longitude, latitude, this.#table.longitude(index), northing);
      if (meters > limit) continue;
      near.push({ index, meters });
    }
    near.sort((a, b) => a.meters - b.meters || a.index - b.index);
    // Heights above different datums must not be averaged.
    const chosen: Near[] = [];
    for (const one of near) {
      if (chosen.length === MAX_STATIONS) break;
      const first = chosen[0] ?? one;
      if (this.#table.datum(one.index) === this.#table.datum(first.index)) chosen.push(one);
    }
    return chosen;
  }

  /** Between two steps of ten minutes the height is linear: within 2 mm for a range of 4 m. */
  #heightAt(index: number, time: number): number {
    const day = Math.floor(time / MS_PER_DAY);
    const curve = this.#day(index, day);
    const steps = (time - day * MS_PER_DAY) / MS_PER_STEP;
    const step = Math.floor(steps);
    return curve[step]! + (curve[step + 1]! - curve[step]!) * (steps - step);
  }

  #day(index: number, day: number): Float32Array {
    const key = `${index}/${day}`;
    const known = this.#days.get(key);
    if (known !== undefined) return known;
    const { offsets } = this.#table.harmonics(index);
    const start = new Date(day * MS_PER_DAY);
    const points = this.#predictionOf(index).getTimelinePrediction({
      start,
      end: new Date(start.getTime() + MS_PER_DAY),
      timeFidelity: MS_PER_STEP / 1000,
      ...(offsets === undefined ? {} : { offsets }),
    });
    const curve = Float32Array.from(points, ({ level }) => level);
    if (this.#days.size >= MAX_DAYS) this.#days.delete(this.#days.keys().next().value!);
    this.#days.set(key, curve);
    return curve;
  }

  #predictionOf(index: number): TidePrediction {
    const known = this.#predictions.get(index);
    if (known !== undefined) return known;
    const { constants, meanLevel } = this.#table.harmonics(index);
    const made = createTidePredictor([...constants], { offset: meanLevel });
    this.#predictions.set(index, made);
    return made;
  }
}
