// The parts of the two Workers' configurations that must be equal.

import { expect, test } from 'vitest';
import { ENVIRONMENTS } from '../../../workers/host/deploy/environment-file.ts';
import { textOf } from '../../support/source-files.ts';

const SERVICE = textOf('wrangler.toml');
const HEAVY_WORKER = textOf('workers/host/deploy/heavy-worker.toml');
const CHART_READER = textOf('workers/host/deploy/chart-reads.toml');

/** Values of a key, within the tables whose names begin so; before all tables where none is given. */
function values(text: string, table: string | undefined, key: string): string[] {
  let here = '';
  return text.split('\n').flatMap((line) => {
    here = /^\[+([\w.]+)\]+/.exec(line)?.[1] ?? here;
    const isInside = table === undefined ? here === '' : here.startsWith(table);
    const value = isInside ? new RegExp(`^${key} = (.+)$`).exec(line)?.[1] : undefined;
    return value === undefined ? [] : [value.replaceAll('"', '')];
  });
}

test.each([
  ['heavy work', HEAVY_WORKER],
  ['cached chart reads', CHART_READER],
])('the Worker for %s has the bundle and the age of the platform of the service', (_, config) => {
  expect(values(SERVICE, undefined, 'main')).toEqual(['workers/service/index.ts']);
  expect(values(config, undefined, 'main')).toEqual(['../../service/index.ts']);
  for (const key of ['compatibility_date', 'compatibility_flags']) {
    expect(values(config, undefined, key), key).toEqual(values(SERVICE, undefined, key));
    expect(values(config, undefined, key), key).toHaveLength(1);
  }
});

test.each(ENVIRONMENTS)('in %s both read one bucket, and the service calls the other', (name) => {
  for (const table of ['r2_buckets', 'analytics_engine_datasets']) {
    const of = (text: string) =>
      ['binding', 'bucket_name', 'dataset'].flatMap((key) =>
        values(text, `env.${name}.${table}`, key),
      );
    expect(of(HEAVY_WORKER), table).toEqual(of(SERVICE));
    expect(of(HEAVY_WORKER), table).toHaveLength(2);
  }
  const [worker] = values(HEAVY_WORKER, undefined, 'name');
  const bound = ['binding', 'service', 'entrypoint'].flatMap((key) =>
    values(SERVICE, `env.${name}.services`, key),
  );
  expect(bound).toEqual(['HEAVY_WORK', `${worker}-${name}`, 'HeavyWork']);
});

test.each([
  ['heavy work', HEAVY_WORKER],
  ['cached chart reads', CHART_READER],
])('only the service can reach the Worker for %s', (_, config) => {
  expect(config).not.toMatch(/^(routes?|pattern|\[\[.*routes)/m);
  for (const key of ['workers_dev', 'preview_urls']) {
    expect(values(config, undefined, key), key).toEqual(['false']);
  }
});

test.each([
  ['service', SERVICE],
  ['heavy work', HEAVY_WORKER],
  ['cached chart reads', CHART_READER],
])('the platform writes no line with the URL of a call: %s', (_, config) => {
  const logs = ['enabled', 'invocation_logs'].map((key) =>
    values(config, 'observability.logs', key),
  );
  expect(logs).toEqual([['true'], ['false']]);
});

test('only the Worker for chart reads has a cache in front of it, and reads the bucket of the service', () => {
  const isCached = (config: string) => /^\[.*\bcache\b.*\]|^cache\b/m.test(config);
  expect([SERVICE, HEAVY_WORKER, CHART_READER].map(isCached)).toEqual([false, false, true]);
  for (const name of ENVIRONMENTS) {
    const bucketOf = (config: string) => values(config, `env.${name}.r2_buckets`, 'bucket_name');
    expect(bucketOf(CHART_READER)).toEqual(bucketOf(SERVICE));
  }
});
