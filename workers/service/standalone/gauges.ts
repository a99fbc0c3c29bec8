// Gauges: metrics that are read instead of counted, such as the age of the charts, the database,
// the cache and the state of the other parts, which the supervisor knows.

import { currentManifest } from '../charts/catalog.ts';
import { databaseState } from '../endpoints/health.ts';
import type { Env } from '../runtime/env.ts';
import { newCost } from '../runtime/request-cost.ts';
import type { MemoryCache } from './memory-cache.ts';
import type { Gauge } from './meters.ts';

const STARTED_AT = 'leadline_start_time_seconds';
/**
 * Set at the first request for metrics, because the clock is not available while a module is
 * loaded.
 */
let startedMs: number | undefined;

/** A part of the service in another process. */
export interface Part {
  readonly part: string;
  readonly restarts: number;
  readonly up: boolean;
}

export async function gaugesOf(
  env: Env,
  cache: MemoryCache,
  parts: readonly Part[],
): Promise<Gauge[]> {
  const nowMs = Date.now();
  startedMs ??= nowMs;
  const state = await databaseState(env);
  return [
    ...(await chartGauges(env, nowMs)),
    {
      name: 'leadline_database_up',
      help: 'Whether the database answers: 1, 0, or -1 without a database.',
      value: { up: 1, down: 0, none: -1 }[state],
    },
    ...parts.map(({ part, up }) => ({
      name: 'leadline_part_up',
      help: 'Whether a part of the service runs.',
      value: up ? 1 : 0,
      labels: { part },
    })),
    ...parts.map(({ part, restarts }) => ({
      name: 'leadline_part_restarts',
      help: 'How often a part had to be started again since the supervisor was.',
      value: restarts,
      labels: { part },
    })),
    { name: 'leadline_cache_bytes', help: 'Bytes in the cache of tiles.', value: cache.bytes },
    {
      name: STARTED_AT,
      help: 'Time when this process first reported its metrics.',
      value: startedMs / 1000,
    },
  ];
}

async function chartGauges(env: Env, nowMs: number): Promise<Gauge[]> {
  const cost = newCost((work) => void work.catch(() => undefined));
  try {
    const { buildId, cells, datasets, archives } = await currentManifest(env, nowMs, cost);
    const age = (ms: number) => Math.max(0, (nowMs - ms) / 1000);
    return [
      { name: 'leadline_charts_up', help: 'Whether charts can be served.', value: 1 },
      {
        name: 'leadline_build_info',
        help: 'The current build.',
        value: 1,
        labels: { build: buildId },
      },
      { name: 'leadline_cells', help: 'Cells of the current build.', value: cells.length },
      {
        name: 'leadline_archive_bytes',
        help: 'Size of the current build.',
        value: archives.reduce((sum, { bytes }) => sum + bytes, 0),
      },
      ...datasets.map(({ id, dataSourcedAt }) => ({
        name: 'leadline_charts_age_seconds',
        help: 'Time since the files of a dataset were obtained.',
        value: age(dataSourcedAt),
        labels: { dataset: id },
      })),
    ];
  } catch {
    return [{ name: 'leadline_charts_up', help: 'Whether charts can be served.', value: 0 }];
  }
}
