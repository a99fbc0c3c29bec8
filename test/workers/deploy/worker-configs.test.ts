// The parts of the two Workers' configurations that must be equal.

import { expect, test } from 'vitest';
import { ENVIRONMENTS } from '../../../workers/host/deploy/environment-file.ts';
import { textOf } from '../../support/source-files.ts';

const SERVICE = textOf('wrangler.toml');
const HEAVY_WORKER = textOf('workers/host/deploy/heavy-worker.toml');

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

test('both Workers are of one bundle and one age of the platform', () => {
  expect([values(SERVICE, undefined, 'main'), values(HEAVY_WORKER, undefined, 'main')]).toEqual([
    ['workers/service/index.ts'],
    ['../../service/index.ts'],
  ]);
  for (const key of ['compatibility_date', 'compatibility_flags']) {
    expect(values(HEAVY_WORKER, undefined, key), key).toEqual(values(SERVICE, undefined, key));
    expect(values(HEAVY_WORKER, undefined, key), key).toHaveLength(1);
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

test('only the service can reach the Worker for heavy work', () => {
  expect(HEAVY_WORKER).not.toMatch(/^(routes?|pattern|\[\[.*routes)/m);
  for (const key of ['workers_dev', 'preview_urls']) {
    expect(values(HEAVY_WORKER, undefined, key), key).toEqual(['false']);
  }
});
