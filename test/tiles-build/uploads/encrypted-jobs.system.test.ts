// Jobs of an account with encrypted cells (S-63): which cells may disappear, and what its permits change.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { readIdentity } from '../../../tiles-build/s63/identity.ts';
import { joinPermits } from '../../../tiles-build/s63/permits.ts';
import { readTrustedKey } from '../../../tiles-build/s63/trusted-key.ts';
import type { JobInput } from '../../../tiles-build/uploads/change-charts.ts';
import type { Licensing } from '../../../tiles-build/uploads/licences.ts';
import { DataServer, SigningKey } from '../../support/s63-server.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { writtenBytes } from '../../support/written-chart.ts';
import { storeZip } from '../fetch/support/store-zip.ts';
import { accepted, openAccount, silent } from './support/account-jobs.ts';

const scratch = scratchFolder();
const scheme = new SigningKey();
const server = new DataServer('AA', scheme);
const NAMES = ['ZZ5SECR1', 'ZZ5SECR2'] as const;
const PUBLIC = ['ZZ500000', 'ZZ500001'];
beforeEach(() => void vi.stubEnv('LEADLINE_S63_CACHE_KEY', '5a'.repeat(32)));

const trusted = [readTrustedKey(scheme.publicFile, 'IHO.PUB', '20260601').key!];
const licensingWith = (keys: typeof trusted): Licensing => ({
  identity: readIdentity({
    LEADLINE_S63_M_ID: '10',
    LEADLINE_S63_M_KEY: '10121',
    LEADLINE_S63_HW_ID: '12345',
  }),
  settingsFor: (files) => ({
    ...{ permits: joinPermits(files), trusted: keys, today: '20260601', problems: [] },
  }),
});

/** A folder with a zip of encrypted cells, and with their permits. */
function folderOf(path: string, cells: readonly string[], permits: readonly string[] = []): string {
  mkdirSync(path, { recursive: true });
  for (const name of cells) {
    const west = 30 + Number(name.at(-1));
    const box = [west, 10, west + 0.05, 10.05] as const;
    const bytes = writtenBytes({
      ...{ name, usageBand: 5, scaleDenominator: 10_000 },
      areas: [
        ['M_COVR', box, { CATCOV: 1 }],
        ['DEPARE', box, { DRVAL1: 10, DRVAL2: 20 }],
      ],
    });
    const files = Object.fromEntries(server.delivery(new Map([[`${name}.000`, bytes]])));
    writeFileSync(join(path, `${name}.zip`), storeZip(files));
  }
  const records = permits.map((name) => server.permit(name));
  if (records.length > 0) writeFileSync(join(path, 'PERMIT.TXT'), server.permitFile(records));
  return path;
}

/** An account without uploads. @param more may change between its jobs */
async function openLicensed(name: string, more: Partial<JobInput> = {}) {
  const root = join(scratch, name);
  // Its files are sealed.
  const work = join(root, 'work');
  Object.assign(more, { work, licensing: licensingWith(trusted), ...more });
  const acme = await openAccount(root, more);
  const folder = (...[id, ...rest]: Parameters<typeof folderOf>) =>
    folderOf(join(root, 'given', id), ...rest);
  return { ...acme, folder };
}

/** An account whose first upload has the permits of both, and two cells that are shown. */
async function openWithBoth(name: string, more: Partial<JobInput> = {}) {
  const acme = await openLicensed(name, more);
  acme.add(NAMES[0], acme.folder('one', [NAMES[0]], NAMES));
  acme.add(NAMES[1], acme.folder('two', [NAMES[1]]));
  await acme.run('rebuild');
  return acme;
}

test('all encrypted cells disappear with an upload that has their permits and other cells', async () => {
  const acme = await openWithBoth('permits');
  expect(await acme.shown()).toEqual([...PUBLIC, ...NAMES]);
  expect((await acme.run('delete', NAMES[0])).state).toBe('succeeded');
  expect(await acme.shown()).toEqual(PUBLIC);
});

test('encrypted cells do not prevent a deletion when the operator has ended licensing', async () => {
  const more: Partial<JobInput> = {};
  const acme = await openWithBoth('unlicensed', more);
  const lines: string[] = [];
  const log = (_type: string, text: string) => void lines.push(text);
  Object.assign(more, { licensing: undefined, progress: { ...silent, log } });
  expect((await acme.run('delete', NAMES[1])).state).toBe('succeeded');
  expect(lines).toContainEqual(expect.stringMatching(/^This worker has no S-63 settings/));
  expect(await acme.shown()).toEqual(PUBLIC);
});

test('a job states why encrypted cells can no longer be decrypted', async () => {
  const more: Partial<JobInput> = { enc: [], below: () => undefined };
  const acme = await openWithBoth('locked', more);
  Object.assign(more, { licensing: licensingWith([]) });
  const text = /^Encrypted cells .* decrypted: (.*)\. Nothing was changed\. .* SSE 05: No usable/;
  const refusalOf = (job: Promise<unknown>) =>
    job.then(
      () => 'no error',
      (error: Error) => text.exec(error.message)?.[1] ?? error.message,
    );
  expect(await refusalOf(acme.run('rebuild'))).toBe(NAMES.join(', '));
  // Another cell than the deleted one must stay.
  expect(await refusalOf(acme.run('delete', NAMES[1]))).toBe(NAMES[0]);
  expect(await acme.shown()).toEqual(NAMES);
});

test('the charts disappear if no cell can be used after a deletion', async () => {
  const acme = await openLicensed('last', { enc: [], below: () => undefined });
  acme.add('permits', acme.folder('permits', [], NAMES), []);
  acme.add('cell', acme.folder('cell', [NAMES[0]]), [accepted(NAMES[0])]);
  await acme.run('rebuild');
  expect(await acme.shown()).toEqual([NAMES[0]]);
  const { message } = await acme.run('delete', 'permits');
  expect(message).toBe('The account sees the public charts.');
  expect(await acme.shown()).toBeUndefined();
});

test('permits with other cells are not kept if these are refused', async () => {
  const acme = await openLicensed('all-refused');
  acme.put('set', acme.folder('set', [NAMES[0]], [NAMES[1]]));
  const { state, message } = await acme.run('upload', 'set');
  expect(state).toBe('failed');
  expect(message).toMatch(/^ZZ5SECR1 was refused\. SSE 11: .* Its permits are not kept/);
});

test('a permit file in a zip is recognised without licensing', async () => {
  const acme = await openLicensed('zipped', { licensing: undefined });
  const folder = acme.folder('zip', []);
  const permits = server.permitFile([server.permit(NAMES[0])]);
  writeFileSync(join(folder, 'permits.zip'), storeZip({ 'PERMIT.TXT': permits }));
  acme.put('zip', folder);
  await expect(acme.run('upload', 'zip')).rejects.toThrow(/^Permits are not used: .* \(S-63\)\.$/);
});

test('permits name the cells that an upload was accepted without', async () => {
  const acme = await openLicensed('later');
  const problems = ['SSE 11: There is no permit.'];
  const refused = { ...accepted(NAMES[1]), outcome: 'refused' as const, problems };
  acme.add('set', acme.folder('set', NAMES, [NAMES[0]]), [accepted(NAMES[0]), refused]);
  acme.put('permits', acme.folder('permits', [], NAMES));
  expect((await acme.run('upload', 'permits')).message).toBe(
    '2 permits are kept for the charts of the account. Upload again, because they were refused before: ZZ5SECR2.',
  );
});
