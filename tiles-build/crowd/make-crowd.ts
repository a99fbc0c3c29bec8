// One run of `charts crowd`: reads the database, brings the state up to date and writes the archive.

import { stations } from '@neaps/tide-database';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { tideRecordsOf } from '../../shared/crowd/tide-records.ts';
import { packTideTable, TIDE_TABLE_FORMAT, TideTable } from '../../shared/crowd/tide-table.ts';
import { TidePredictor } from '../../shared/crowd/water-level.ts';
import type { BuildProgress } from '../pipeline/build-context.ts';
import { openCharts } from './archive-charts.ts';
import { type CrowdUpdate, updateCrowd } from './build-crowd.ts';
import { CrowdStore } from './store.ts';
import { openTrackDatabase } from './track-database.ts';
import { writeCrowd } from './write-crowd.ts';

interface MakeOptions {
  /** PostgreSQL of the service. */
  readonly url: string;
  readonly state: string;
  /** Folder for the archive and its manifest. */
  readonly folder: string;
  /** Folder of a build of charts. */
  readonly charts?: string | undefined;
  readonly trusted: ReadonlySet<string>;
  readonly leastContributors: number;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly progress: BuildProgress;
}

export async function makeCrowd(options: MakeOptions): Promise<{
  readonly update: CrowdUpdate;
  /** undefined if no bin is public */
  readonly manifest: Manifest | undefined;
}> {
  const { url, state, folder, charts, trusted, leastContributors, now, progress } = options;
  // First, because a failure must not leave a connection that holds the lock.
  const chart = charts === undefined ? undefined : await openCharts(charts, now);
  const database = await openTrackDatabase(url);
  try {
    const records = tideRecordsOf(stations);
    const table = new TideTable(packTideTable(records));
    const store = new CrowdStore(state);
    let stage = '';
    const update = await updateCrowd({
      store,
      source: database,
      tides: new TidePredictor(table),
      chart,
      trusted,
      leastContributors,
      tideVersion: `${TIDE_TABLE_FORMAT} ${records.length}`,
      now,
      progress: (step, _done, all) => {
        if (step !== stage) progress.start(step, all);
        stage = step;
        progress.step('');
      },
    });
    // Of all stations: a list of used ones would reveal where a single contributor sailed.
    const { attributions } = table;
    const manifest = await writeCrowd(store, folder, { attributions, now });
    await database.store(update.contributions);
    store.reported(update.lists);
    return { update, manifest };
  } finally {
    await database.close();
    await chart?.close();
  }
}
