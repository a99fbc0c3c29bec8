// Two syncs of the same folder, at the same time or with another catalogue.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderInUse } from '../../../tiles-build/archive/folder-lock.ts';
import { readCatalogue } from '../../../tiles-build/sync/read-catalogue.ts';
import { type SyncOptions, syncFolder } from '../../../tiles-build/sync/sync-cells.ts';
import { openProducer, type Producer } from './support/producer.ts';
import { cellZip } from './support/producer-cells.ts';

const NAMES = ['US5AA01M', 'US5AA02M'];

let producer: Producer;
let folder: string;
beforeEach(async () => {
  producer = await openProducer();
  producer.list = NAMES.map((name) => ({ name, edition: 1, update: 0 }));
  for (const name of NAMES) producer.zips.set(`${name}.zip`, cellZip(name, 1));
  folder = mkdtempSync(join(tmpdir(), 'leadline-sync-'));
});
afterEach(async () => {
  await producer.close();
  rmSync(folder, { recursive: true, force: true });
});

const catalogueNow = () => readCatalogue(`${producer.base}/ENCProdCat.xml`, undefined);

async function sync(
  progress?: SyncOptions['progress'],
  catalogue?: Awaited<ReturnType<typeof catalogueNow>>,
) {
  return syncFolder({
    folder,
    catalogue: catalogue ?? (await catalogueNow()),
    selection: { all: true, cells: [], states: [], regions: [], districts: [], boxes: [] },
    removeUnselected: false,
    removeMany: false,
    atOnce: 1,
    now: 1_700_000_000_000,
    ...(progress !== undefined && { progress }),
  });
}

/** Write the lock of a process that cannot exist: Linux process ids end at about four million. */
function leaveLock(host: string): void {
  mkdirSync(join(folder, '.lock'));
  writeFileSync(join(folder, '.lock', `4999999 ${host} some-run`), '');
}

it('a second sync of a folder ends, names the first and changes nothing', async () => {
  const second: Promise<unknown>[] = [];
  // Read in advance, so that the second run starts while the first still downloads.
  const catalogue = await catalogueNow();
  const first = await sync({
    start: () => undefined,
    step: () => void second.push(sync(undefined, catalogue).catch((error: unknown) => error)),
  });
  expect(first.fetched).toEqual(NAMES);
  const [error] = await Promise.all(second);
  expect(error).toBeInstanceOf(FolderInUse);
  expect((error as Error).message).toContain(`process ${process.pid} of ${hostname()}`);
  expect((await sync()).upToDateCount).toBe(2);
});

it('a sync takes over the lock of a killed process', async () => {
  leaveLock(hostname());
  expect((await sync()).fetched).toEqual(NAMES);
  expect(readdirSync(folder)).not.toContain('.lock');
});

it('a sync respects the lock of a process on another machine', async () => {
  leaveLock('elsewhere');
  await expect(sync()).rejects.toThrow('process 4999999 of elsewhere');
  expect(readdirSync(folder)).toEqual(['.lock']);
});

it('a sync with the catalogue of another producer keeps the cells of a small folder', async () => {
  await sync();
  producer.list = [{ name: 'DE5AA01M', edition: 1 }];
  producer.zips.set('DE5AA01M.zip', cellZip('DE5AA01M', 1));
  expect((await sync()).failures.join()).toContain('2 of 2 zips would be removed');
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(NAMES.map((name) => `${name}.zip`)));
});

it('a sync reports a cell that the producer issued again with a lower edition', async () => {
  const name = NAMES[0]!;
  const offer = (edition: number, time: string) => {
    producer.list = [{ name, edition, time }, ...producer.list.slice(1)];
    producer.zips.set(`${name}.zip`, cellZip(name, edition));
  };
  offer(3, '2026-01-01T00:00:00Z');
  await sync();
  offer(1, '2026-01-01T00:00:00Z');
  expect((await sync()).failures).toEqual([]);
  offer(1, '2027-01-01T00:00:00Z');
  expect((await sync()).failures.join()).toContain('offers 1.0, which is older than the local 3.0');
  rmSync(join(folder, `${name}.zip`));
  expect(await sync()).toMatchObject({ fetched: [name], failures: [] });
});
