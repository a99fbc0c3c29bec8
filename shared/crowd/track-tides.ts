// Heights of tide along a track.

import { distanceMeters } from '../geo/earth.ts';
import type { TrackTide } from './contribution.ts';
import type { TidePredictor } from './water-level.ts';

/** Stations are chosen again after this distance. */
const CHOICE_METERS = 3000;
const TIDE_STEP_MS = 600_000;
/** Standard deviations per 95 % uncertainty. */
export const SIGMAS_95 = 1.96;

const NO_HEIGHTS = {
  count: 0,
  least: Number.POSITIVE_INFINITY,
  greatest: Number.NEGATIVE_INFINITY,
};

/** The heights above one chart datum. */
interface Use {
  /** Of the last station. */
  tide: TrackTide;
  count: number;
  least: number;
  greatest: number;
}

/** Heights of tide along a track: linear between steps of ten minutes. */
export class TrackTides {
  readonly #tides: TidePredictor;
  #choice: ReturnType<TidePredictor['choose']> | undefined;
  #longitude = 0;
  #latitude = 0;
  #step = Number.NaN;
  #before = 0;
  #after = 0;
  /** By chart datum; undefined without a station. */
  readonly #uses = new Map<string | undefined, Use>();
  sigma = 0;
  /** Chart datum of the last height; undefined if no station was near. */
  datum: string | undefined;

  constructor(tides: TidePredictor) {
    this.#tides = tides;
  }

  /** Metres above chart datum; 0 if no station is near. */
  heightAt(longitude: number, latitude: number, time: number): number {
    const isFar =
      this.#choice === undefined ||
      distanceMeters(this.#longitude, this.#latitude, longitude, latitude) > CHOICE_METERS;
    if (isFar) this.#choose(longitude, latitude);
    const choice = this.#choice!;
    const use = this.#uses.get(this.datum)!;
    use.count++;
    if ('range' in choice) return 0;
    const step = Math.floor(time / TIDE_STEP_MS);
    if (step !== this.#step) {
      this.#step = step;
      this.#before = this.#tides.heightOf(choice, step * TIDE_STEP_MS);
      this.#after = this.#tides.heightOf(choice, (step + 1) * TIDE_STEP_MS);
    }
    const share = time / TIDE_STEP_MS - step;
    const height = this.#before + (this.#after - this.#before) * share;
    use.least = Math.min(use.least, height);
    use.greatest = Math.max(use.greatest, height);
    return height;
  }

  #choose(longitude: number, latitude: number): void {
    const choice = this.#tides.choose([longitude, latitude]);
    [this.#choice, this.#longitude, this.#latitude] = [choice, longitude, latitude];
    this.#step = Number.NaN;
    const tide = this.#tideOf(choice);
    // Without a station, a depth at high water is too deep by the whole range.
    this.sigma = tide.error95 / SIGMAS_95;
    this.datum = tide.reduced ? tide.datum : undefined;
    const use = this.#uses.get(this.datum);
    if (use !== undefined) use.tide = tide;
    else this.#uses.set(this.datum, { tide, ...NO_HEIGHTS });
  }

  #tideOf(choice: ReturnType<TidePredictor['choose']>): TrackTide {
    if ('range' in choice) return { reduced: false, error95: choice.range };
    const { index, meters } = choice.stations[0]!;
    const { id, name, datum } = this.#tides.station(index);
    return {
      reduced: true,
      least: 0,
      greatest: 0,
      station: id,
      stationName: name,
      datum,
      distance: Math.round(meters),
      error95: choice.error95,
    };
  }

  /** The tide above the chart datum that most heights have; not reduced if no station was near. */
  summary(): TrackTide {
    const rounded = (meters: number) => Math.round(meters * 100) / 100;
    const reduced = [...this.#uses.values()].filter(({ tide }) => tide.reduced);
    const [use = this.#uses.get(undefined)] = reduced.sort((a, b) => b.count - a.count);
    if (use === undefined) return { reduced: false, error95: 0 };
    const tide = { ...use.tide, error95: rounded(use.tide.error95) };
    if (!tide.reduced) return tide;
    return { ...tide, least: rounded(use.least), greatest: rounded(use.greatest) };
  }
}
