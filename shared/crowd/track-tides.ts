// Heights of tide along a track.

import { distanceMeters } from '../geo/earth.ts';
import type { TrackTide } from './contribution.ts';
import type { TidePredictor } from './water-level.ts';

/** Stations are chosen again after this distance. */
const CHOICE_METERS = 3000;
const TIDE_STEP_MS = 600_000;
/** Standard deviations per 95 % uncertainty. */
export const SIGMAS_95 = 1.96;

/** Heights of tide along a track: linear between steps of ten minutes. */
export class TrackTides {
  readonly #tides: TidePredictor;
  #choice: ReturnType<TidePredictor['choose']> | undefined;
  #longitude = 0;
  #latitude = 0;
  #step = Number.NaN;
  #before = 0;
  #after = 0;
  #least = Number.POSITIVE_INFINITY;
  #greatest = Number.NEGATIVE_INFINITY;
  #used: TrackTide = { reduced: false, error95: 0 };
  sigma = 0;
  isReduced = false;

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
    if ('range' in choice) return 0;
    const step = Math.floor(time / TIDE_STEP_MS);
    if (step !== this.#step) {
      this.#step = step;
      this.#before = this.#tides.heightOf(choice, step * TIDE_STEP_MS);
      this.#after = this.#tides.heightOf(choice, (step + 1) * TIDE_STEP_MS);
    }
    const share = time / TIDE_STEP_MS - step;
    const height = this.#before + (this.#after - this.#before) * share;
    this.#least = Math.min(this.#least, height);
    this.#greatest = Math.max(this.#greatest, height);
    return height;
  }

  #choose(longitude: number, latitude: number): void {
    const choice = this.#tides.choose([longitude, latitude]);
    [this.#choice, this.#longitude, this.#latitude] = [choice, longitude, latitude];
    this.#step = Number.NaN;
    this.isReduced = !('range' in choice);
    if ('range' in choice) {
      // A depth at high water is too deep by the whole range.
      this.sigma = choice.range / SIGMAS_95;
      if (!this.#used.reduced) this.#used = { reduced: false, error95: choice.range };
      return;
    }
    const { index, meters } = choice.stations[0]!;
    const { id, name, datum } = this.#tides.station(index);
    this.sigma = choice.error95 / SIGMAS_95;
    this.#used = {
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

  summary(): TrackTide {
    const used = this.#used;
    const rounded = (meters: number) => Math.round(meters * 100) / 100;
    if (!used.reduced) return { ...used, error95: rounded(used.error95) };
    const [least, greatest] = [rounded(this.#least), rounded(this.#greatest)];
    return { ...used, error95: rounded(used.error95), least, greatest };
  }
}
