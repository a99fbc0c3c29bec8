// Loose files of an upload: which of them belong together, and which cells of an older edition are refused.

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { encodeCatalog } from '../../../shared/s57/write/catalog.ts';
import { findCells } from '../../../tiles-build/exchange-set/exchange-set.ts';
import type { BuildPool } from '../../../tiles-build/pipeline/build-context.ts';
import type { ScanJob } from '../../../tiles-build/pipeline/jobs.ts';
import { scanCell } from '../../../tiles-build/pipeline/scan-cell.ts';
import type { FileBucket } from '../../../tiles-build/publish/bucket.ts';
import { openFolderBucket } from '../../../tiles-build/publish/folder-bucket.ts';
import { joinPermits, readPermitFile } from '../../../tiles-build/s63/permits.ts';
import { readTrustedKey } from '../../../tiles-build/s63/trusted-key.ts';
import { NO_LICENCE, unlockWith } from '../../../tiles-build/s63/unlock.ts';
import { checkCells } from '../../../tiles-build/uploads/check-cells.ts';
import { JobCancelled, type JobProgress } from '../../../tiles-build/uploads/job-progress.ts';
import type { Upload } from '../../../tiles-build/uploads/job-store.ts';
import { type Licensing, unlockFor } from '../../../tiles-build/uploads/licences.ts';
import {
  fetchUpload,
  removeUpload,
  UploadRefused,
} from '../../../tiles-build/uploads/upload-files.ts';
import { acceptedName } from '../../../workers/service/endpoints/receive-charts.ts';
import { DataServer, HARDWARE_ID, SigningKey, writeFiles } from '../../support/s63-server.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { cellFiles } from '../sync/support/producer-cells.ts';

const scratch = scratchFolder();
const CELL = 'US5AA01M';

/** The folder of an upload with these files, one piece each. */
async function fetched(...files: (readonly [name: string, bytes: Uint8Array])[]): Promise<string> {
  const [store, work] = ['store-', 'work-'].map((name) => mkdtempSync(join(scratch, name)));
  for (const [i, [, bytes]] of files.entries()) writeFileSync(join(store!, `${i}-0`), bytes);
  const bucket = {
    getFile: async (key: string, path: string) => {
      copyFileSync(join(store!, basename(key)), path);
      return true;
    },
  } as unknown as FileBucket;
  const listed = files.map(([name, { length }]) => ({ name, bytes: length, pieces: 1 }));
  const upload: Partial<Upload> = { account_id: 'acme', id: 'one', files: listed };
  return fetchUpload(bucket, work!, upload as Upload);
}

it('compares loose files with the list among them, and keeps files of equal names', async () => {
  const base = cellFiles(CELL, 1, 0).get(`${CELL}.000`)!;
  const box = { south: 0, west: 0, north: 1, east: 1 };
  const wrong = (crc32(base) ^ 1) >>> 0;
  const list = encodeCatalog([{ path: `${CELL}\\${CELL}.000`, title: '', crc32: wrong, box }]);
  const files = [[`${CELL}.000`, base] as const, ['CATALOG.031', list] as const];
  const { cells } = await findCells([await fetched(...files)]);
  expect(cells[0]?.base?.crc32s).toEqual([wrong]);
  // A file of the same name is in another folder, without a list.
  const twice = await findCells([await fetched(...files, [`${CELL.toLowerCase()}.000`, base])]);
  expect(twice.problems.map(({ code }) => code)).toEqual(['repeated-file']);
  expect(twice.cells[0]?.base?.crc32s).toBeUndefined();
});

it('fetches files again that are incomplete after a power failure, and leaves no unfinished ones', async () => {
  const work = mkdtempSync(join(scratch, 'work-'));
  let isFull = true;
  const bucket = {
    getFile: async (_: string, path: string) => {
      if (isFull) throw new Error('ENOSPC: no space left on device');
      writeFileSync(path, 'a cell');
      return true;
    },
  } as unknown as FileBucket;
  const files = [{ name: 'US5AA01M.000', bytes: 6, pieces: 1 }];
  const fetch = () => fetchUpload(bucket, work, { account_id: 'acme', id: 'one', files } as never);
  await expect(fetch()).rejects.toThrow('ENOSPC');
  expect(readdirSync(join(work, 'uploads'))).toEqual([]);
  isFull = false;
  const path = join(await fetch(), '0', 'US5AA01M.000');
  writeFileSync(path, '');
  await fetch();
  expect(readFileSync(path, 'utf8')).toBe('a cell');
  // Complete files are not fetched.
  isFull = true;
  expect(await fetch()).toBe(join(work, 'uploads', 'one'));
});

it('deletes an upload with a piece that a killed runtime was writing', async () => {
  const store = mkdtempSync(join(scratch, 'store-'));
  writeFiles(
    join(store, 'chart-uploads/acme/one'),
    new Map(['0-0', '.kj-tmp.3931.1.0-1.partial'].map((name) => [name, Buffer.of(1)])),
  );
  await removeUpload(openFolderBucket(store), scratch, { account_id: 'acme', id: 'one' });
  expect(readdirSync(join(store, 'chart-uploads/acme'))).toEqual([]);
});

it('finds the signature files of loose encrypted cells', async () => {
  const scheme = new SigningKey();
  const server = new DataServer('AA', scheme);
  const delivery = [...server.delivery(cellFiles(CELL, 1, 2))].map(
    ([path, bytes]) => [basename(path), bytes] as const,
  );
  const permits = readPermitFile(server.permitFile([server.permit(CELL)]), 'P.TXT', HARDWARE_ID);
  const unlock = unlockWith({
    permits: joinPermits([permits]),
    trusted: [readTrustedKey(scheme.publicFile, 'IHO.PUB', '20260601').key!],
    problems: [],
    today: '20260601',
  });
  const { cells } = await findCells([await fetched(...delivery)], { unlock });
  expect(cells).toMatchObject([{ name: CELL, encrypted: { problems: [] }, updates: [{}, {}] }]);
});

it('does not use what it decrypted of another upload instead of a refused edition', async () => {
  vi.stubEnv('LEADLINE_S63_CACHE_KEY', '5a'.repeat(32));
  const scheme = new SigningKey();
  const server = new DataServer('AA', scheme);
  const record = server.permit(CELL, { expires: '20260215' });
  const permits = [readPermitFile(server.permitFile([record]), 'PERMIT.TXT', HARDWARE_ID)];
  const settings = { permits: joinPermits(permits), today: '20260601', problems: [] };
  const trusted = [readTrustedKey(scheme.publicFile, 'IHO.PUB', '20260601').key!];
  const licensing = { settingsFor: () => ({ ...settings, trusted }) } as unknown as Licensing;
  const unlock = unlockFor(mkdtempSync(join(scratch, 'work-')), 'acme', licensing, permits);
  const find = async (...edition: [number, number, string]) => {
    const files = server.delivery(cellFiles(CELL, ...edition));
    const folder = writeFiles(mkdtempSync(join(scratch, 'set-')), files);
    const [cell] = (await findCells([folder], { unlock })).cells;
    return [cell?.base !== undefined, cell?.encrypted?.problems[0]?.code];
  };
  // The permit has ended, and this edition was issued before.
  expect(await find(1, 0, '20260201')).toEqual([true, 'sse-15']);
  expect(await find(2, 0, '20260301')).toEqual([false, 'sse-15']);
});

/** Checks an upload of a cell against charts with edition 2, update 0, issued on 20260301. */
async function check(...parts: Parameters<typeof cellFiles>) {
  const charts = writeFiles(
    mkdtempSync(join(scratch, 'charts-')),
    cellFiles(CELL, 2, 0, '20260301'),
  );
  const cacheFolder = join(scratch, 'cache');
  mkdirSync(cacheFolder, { recursive: true });
  const pool: BuildPool = {
    size: 1,
    run: async (job) => {
      const { location, code } = job as ScanJob;
      return {
        ok: true,
        value: { kind: 'scan', ...(await scanCell(location, cacheFolder, code)) },
      };
    },
    close: async () => undefined,
  };
  const progress = { log: () => undefined, check: () => undefined } as unknown as JobProgress;
  const own = await fetched(...cellFiles(...parts));
  const options = { fetched: own, others: [charts], unlock: NO_LICENCE, pool, cacheFolder };
  return (await checkCells({ ...options, progress })).cells;
}

it('refuses a cell of an older edition whose updates the charts lack', async () => {
  const newer = expect.stringMatching(/newer one: edition 2, update 0\. .*edition 1, update 2/);
  expect(await check(CELL, 1, 2)).toMatchObject([{ outcome: 'refused', problems: [newer] }]);
  expect(await check(CELL, 2, 1, '20260301')).toMatchObject([
    { outcome: 'accepted', edition: 2, update: 1 },
  ]);
});

it('accepts a corrected cell of the same edition only if it was issued later', async () => {
  const version = { edition: 2, update: 0 };
  expect(await check(CELL, 2, 0, '20260302')).toMatchObject([{ outcome: 'accepted', ...version }]);
  // The same bytes.
  expect(await check(CELL, 2, 0, '20260301')).toMatchObject([{ outcome: 'accepted', ...version }]);
  const other = expect.stringMatching(/^The charts have another file of edition 2, update 0, /);
  const refused = [{ outcome: 'refused', ...version, problems: [other] }];
  expect(await check(CELL, 2, 0, '20260228')).toMatchObject(refused);
  expect(await check(CELL, 2, 0, '20260301', 12)).toMatchObject(refused);
});

it.each([
  [{ files: 2, cells: 9 }, 'The upload has more than 2 files. Upload the cells in parts.'],
  [{ files: 9, cells: 2 }, 'The upload has more than 2 cells. Upload them in parts.'],
])('refuses an upload that exceeds %o', async (limits, message) => {
  const names = [1, 2, 3].map((n) => `US5AA0${n}M`);
  const own = await fetched(...names.flatMap((name) => [...cellFiles(name, 1, 0)]));
  const pool = { size: 1, run: () => Promise.reject(new Error('read')), close: async () => {} };
  const progress = { log: () => undefined, check: () => undefined } as unknown as JobProgress;
  const options = { fetched: own, others: [], unlock: NO_LICENCE, pool, cacheFolder: scratch };
  const refusal = await checkCells({ ...options, progress, limits }).catch((error) => error);
  expect(refusal).toBeInstanceOf(UploadRefused);
  expect(refusal.message).toBe(message);
});

it('stops a cancelled check before it searches the charts', async () => {
  const own = await fetched(...cellFiles(CELL, 1, 0));
  const check = () => {
    throw new JobCancelled();
  };
  const progress = { log: () => undefined, check } as unknown as JobProgress;
  const pool = { size: 1, run: () => Promise.reject(new Error('read')), close: async () => {} };
  const options = { unlock: NO_LICENCE, pool, cacheFolder: scratch, progress };
  const missing = join(scratch, 'missing');
  const checked = checkCells({ fetched: own, others: [missing], ...options });
  await expect(checked).rejects.toThrow(JobCancelled);
});

it('tries no more cells after three have hung', async () => {
  let runs = 0;
  const pool: BuildPool = {
    size: 1,
    run: async () => {
      runs++;
      return { ok: false, reason: 'hung', message: 'no answer within 120 s' };
    },
    close: async () => undefined,
  };
  const names = [1, 2, 3, 4, 5].map((n) => `US5AA0${n}M`);
  const files = names.flatMap((name) => [...cellFiles(name, 1, 0)]);
  const own = await fetched(...files);
  const progress = { log: () => undefined, check: () => undefined } as unknown as JobProgress;
  const options = { fetched: own, others: [], unlock: NO_LICENCE, pool, cacheFolder: scratch };
  const { cells } = await checkCells({ ...options, progress });
  expect(cells.map(({ outcome }) => outcome)).toEqual(Array(5).fill('refused'));
  expect(cells[4]!.problems).toEqual([
    'US5AA05M was not read, because reading 3 cells of the upload took too long. Upload it again without them.',
  ]);
  expect(runs).toBe(3);
});

it.each([
  [`${CELL} (1).000`, `${CELL}.000`],
  [`charts/${CELL}(12).001`, `${CELL}.001`],
  [`${CELL} - Copy.000`, `${CELL}.000`],
  [`${CELL} - Copy (2).000`, `${CELL}.000`],
  [`${CELL} copy 2.001`, `${CELL}.001`],
  ['charts (1).zip', 'charts__1_.zip'],
  ['PERMIT (1).TXT', 'PERMIT.TXT'],
  ['PERMIT(2).txt', 'PERMIT.txt'],
  ['PERMIT - Copy.TXT', 'PERMIT.TXT'],
  ['SERIAL.ENC', 'SERIAL.ENC'],
  ['INFO/STATUS (1).LST', 'STATUS.LST'],
])('acceptedName reads %s as %s', (given, name) => {
  expect(acceptedName(given)).toBe(name);
});
