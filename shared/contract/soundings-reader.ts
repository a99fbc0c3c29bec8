// Validates soundings while they arrive and stores them in columns of numbers. It does not use zod,
// because there may be fifty thousand soundings. It stops after the first faults.

import { isWithin, MAX_FAULTS, type SoundingLimits } from '../bathymetry/sounding-limits.ts';
import { readSoundingTime } from '../bathymetry/sounding-time.ts';
import { growingColumns, type Soundings } from '../bathymetry/soundings.ts';
import type { Fault } from './plain-json.ts';

/** Reads the soundings of a list; `begin` discards an earlier list. */
export class SoundingsReader {
  readonly #limits: SoundingLimits;
  #columns = growingColumns();
  /** The first faults. */
  faults: Fault[] = [];
  /** Number of elements so far, valid or not. */
  count = 0;

  constructor(limits: SoundingLimits) {
    this.#limits = limits;
  }

  begin(): void {
    this.#columns = growingColumns();
    this.faults = [];
    this.count = 0;
  }

  take(elements: readonly unknown[]): void {
    for (const element of elements) {
      if (this.faults.length < MAX_FAULTS) this.#read(element, `soundings.${this.count}`);
      this.count++;
    }
  }

  /** In the order of the body. Valid only if there are no faults. */
  soundings(): Soundings {
    return this.#columns.all();
  }

  #read(element: unknown, path: string): void {
    if (typeof element !== 'object' || element === null || Array.isArray(element)) {
      this.faults.push({ path, message: 'must be an object' });
      return;
    }
    const { latitude, longitude, depth, time } = element as Record<string, unknown>;
    const { minDepthMeters, maxDepthMeters, earliestTime, latestTime } = this.#limits;
    const ms = readSoundingTime(time);
    const isPlaced = isWithin(latitude, -90, 90) && isWithin(longitude, -180, 180);
    if (isPlaced && isWithin(depth, minDepthMeters, maxDepthMeters)) {
      if (ms !== undefined && isWithin(ms, earliestTime, latestTime)) {
        // Adding 0 converts −0 to +0.
        this.#columns.add(latitude + 0, longitude + 0, depth + 0, ms);
        return;
      }
    }
    const fault = (field: string, message: string) =>
      void this.faults.push({ path: `${path}.${field}`, message });
    if (!isWithin(latitude, -90, 90)) fault('latitude', 'must be a number from -90 to 90');
    if (!isWithin(longitude, -180, 180)) fault('longitude', 'must be a number from -180 to 180');
    if (!isWithin(depth, minDepthMeters, maxDepthMeters)) {
      fault('depth', `must be metres from ${minDepthMeters} to ${maxDepthMeters}`);
    }
    if (ms === undefined) fault('time', 'must be ISO 8601 or epoch milliseconds');
    else if (!isWithin(ms, earliestTime, latestTime)) {
      fault('time', 'must be within the accepted range');
    }
  }
}
