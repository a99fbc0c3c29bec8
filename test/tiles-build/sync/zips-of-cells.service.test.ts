// Syncs zips with several cells, which a folder on a web server offers.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readCatalogue } from '../../../tiles-build/sync/read-catalogue.ts';
import { syncFolder } from '../../../tiles-build/sync/sync-cells.ts';
import { storeZip } from '../fetch/support/store-zip.ts';
import { openProducer, type Producer } from './support/producer.ts';
import { cellFiles, cellZip } from './support/producer-cells.ts';

let producer: Producer;
let folder: string;
beforeEach(async () => {
  producer = await openProducer();
  folder = mkdtempSync(join(tmpdir(), 'leadline-sync-'));
});
afterEach(async () => {
  await producer.close();
  rmSync(folder, { recursive: true, force: true });
});

const zipOf = (...cells: readonly [name: string, edition: number, updates: number][]) =>
  storeZip(Object.fromEntries(cells.flatMap((cell) => [...cellFiles(...cell)])));
const LOCAL = zipOf(['ZZ5AA01M', 2, 1], ['ZZ5AA02M', 1, 0]);

async function syncWith(zip: Buffer, removeMany = false) {
  producer.zips.set('harbours.zip', zip);
  return sync(removeMany);
}
async function sync(removeMany = false) {
  return syncFolder({
    folder,
    catalogue: await readCatalogue(`${producer.base}/`, undefined),
    selection: { all: true, cells: [], states: [], regions: [], districts: [], boxes: [] },
    removeUnselected: false,
    removeMany,
    atOnce: 1,
    now: 1_700_000_000_000,
  });
}
const isKept = () => readFileSync(join(folder, 'harbours.zip')).equals(LOCAL);

it.each([
  ['an older edition', zipOf(['ZZ5AA01M', 1, 1], ['ZZ5AA02M', 1, 0]), /ZZ5AA01M, 1\.1, .* older/],
  ['fewer updates', zipOf(['ZZ5AA01M', 2, 0], ['ZZ5AA02M', 2, 0]), /ZZ5AA01M, 2\.0, .* older/],
  ['fewer cells', zipOf(['ZZ5AA01M', 3, 0]), /lacks ZZ5AA02M.*--remove-many/],
])('keeps a zip instead of one with %s', async (_what, zip, message) => {
  await syncWith(LOCAL);
  const report = await syncWith(zip);
  expect(report).toMatchObject({ fetched: [], failures: [expect.stringMatching(message)] });
  expect(isKept()).toBe(true);
});

it('replaces a zip by one with fewer cells with removeMany', async () => {
  await syncWith(LOCAL);
  const report = await syncWith(zipOf(['ZZ5AA01M', 3, 0]), true);
  expect(report).toMatchObject({ fetched: ['harbours'], failures: [] });
  expect(isKept()).toBe(false);
});

it('keeps a zip with several cells that is no longer listed, until removeMany', async () => {
  producer.zips.set('ZZ5AA03M.zip', cellZip('ZZ5AA03M', 1));
  await syncWith(LOCAL);
  producer.zips.delete('harbours.zip');
  const message = /harbours is no longer listed.*--remove-many/;
  expect(await sync()).toMatchObject({ removed: [], failures: [expect.stringMatching(message)] });
  expect(isKept()).toBe(true);
  expect((await sync(true)).removed).toEqual([{ name: 'harbours', because: 'unlisted' }]);
});

it('removes a zip with several cells if other zips have them in the same or a newer version', async () => {
  await syncWith(LOCAL);
  producer.zips.delete('harbours.zip');
  producer.zips.set('harbours-2.zip', zipOf(['ZZ5AA01M', 2, 1], ['ZZ5AA02M', 2, 0]));
  expect(await sync()).toMatchObject({
    fetched: ['harbours-2'],
    removed: [{ name: 'harbours', because: 'unlisted' }],
    failures: [],
  });
});

it('counts the newest of several exchange sets in a zip', async () => {
  const setsOf = (...editions: readonly number[]) =>
    storeZip(
      Object.fromEntries(
        editions.flatMap((edition, i) =>
          [...cellFiles('ZZ5AA01M', edition, 0)].map(
            ([name, bytes]) => [`V0${i + 1}X02/ENC_ROOT/${name}`, bytes] as const,
          ),
        ),
      ),
    );
  await syncWith(setsOf(1, 3));
  const report = await syncWith(setsOf(1, 2));
  expect(report.failures).toEqual([expect.stringMatching(/2\.0, which is older than .* 3\.0/)]);
});
