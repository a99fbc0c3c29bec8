// Boats that sail straight lanes over a flat bed, for the rules about contributors.

import { soundingColumns } from '../../shared/bathymetry/soundings.ts';
import { FINEST_BIN_ZOOM } from '../../shared/crowd/bin.ts';
import { latitudeAt, longitudeAt } from '../../shared/geo/mercator.ts';
import type { CrowdOptions, SharedTrack } from '../../tiles-build/crowd/build-crowd.ts';
import { updateCrowd } from '../../tiles-build/crowd/build-crowd.ts';
import type { ChartDepths } from '../../tiles-build/crowd/chart-depths.ts';
import { CrowdStore } from '../../tiles-build/crowd/store.ts';
import { binAt, simulateFleet } from './fleet.ts';

const BINS = 2 ** FINEST_BIN_ZOOM;
const [FIRST_X, FIRST_Y] = binAt(-20, -30);
const { tides } = simulateFleet({ seed: 1, boats: 0, trips: 0, soundingsPerTrip: 0 });
/** Charted depth, metres. */
const CHARTED = 10;

export interface LaneTrack extends SharedTrack {
  /** Columns from the first to before the last, and rows. */
  readonly from: number;
  readonly end: number;
  readonly rows: readonly number[];
  readonly depth: number;
}

let count = 0;

/** A track that sounds the same bins as others with the same lane. */
export const lane = (
  account: string,
  { from = 0, end = 20, rows = [0], depth = 9, ...more }: Partial<LaneTrack> = {},
): LaneTrack => ({
  ...{ id: `track${count++}`, version: '1', account, subject: account, externalUser: '' },
  ...{ platform: 'main', zero: '', transducer: 0, from, end, rows, depth },
  ...more,
});

/** Four soundings in each bin, two seconds apart. */
function soundingsOf({ from, end, rows, depth }: LaneTrack) {
  const soundings = soundingColumns(rows.length * (end - from) * 4);
  const choice = tides.choose([-20, -30]);
  if ('range' in choice) throw new Error('No station is near.');
  for (const [i, row] of rows.entries())
    for (let j = 0; j < (end - from) * 4; j++) {
      const at = i * (end - from) * 4 + j;
      const time = Date.UTC(2026, 5, 1, 6) + (i * 3600 + j * 2) * 1000;
      soundings.longitudes[at] = longitudeAt((FIRST_X + from + (j + 0.5) / 4) / BINS);
      soundings.latitudes[at] = latitudeAt((FIRST_Y + row + 0.5) / BINS);
      soundings.depths[at] = depth + tides.heightOf(choice, time);
      soundings.times[at] = time;
    }
  return soundings;
}

export const flatChart = (
  buildId = 'flat',
  isLand = (_column: number) => false,
  soundingAt = (_column: number): number | undefined => undefined,
): ChartDepths => ({
  buildId,
  prepare: async () => undefined,
  at: (x) => ({
    ...{ isLand: isLand(x - FIRST_X), depth: CHARTED, uncertainty: 0.5 },
    sounding: soundingAt(x - FIRST_X),
  }),
});

/** One run of the builder over a state. @returns its update, and the public bins by column and row */
export async function sail(
  folder: string,
  tracks: readonly LaneTrack[],
  options: Partial<CrowdOptions> = {},
) {
  const store = new CrowdStore(folder);
  const source = {
    list: async () => tracks,
    read: async (track: SharedTrack) => soundingsOf(track as LaneTrack),
  };
  const update = await updateCrowd({
    ...{ store, source, tides, chart: flatChart(), now: 0 },
    ...options,
  });
  const bins = store.shards().flatMap((shard) => [...store.readResult(shard).bins]);
  const placed = bins.map((bin) => [`${bin.x - FIRST_X}/${bin.y - FIRST_Y}`, bin] as const);
  return { update, bins: new Map(placed), store };
}
