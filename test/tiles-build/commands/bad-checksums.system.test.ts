// Cells whose checksum differs from CATALOG.031, through `charts build`, `charts work` and `charts sync`.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../shared/chart/manifest.ts';
import { EXIT } from '../../../tiles-build/commands/exit.ts';
import { charts } from '../../support/charts-command.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { scriptOf } from '../../support/programs.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { writeSmallBackground } from '../../support/small-cells.ts';
import { openProducer, type Producer } from '../sync/support/producer.ts';
import { cellZip } from '../sync/support/producer-cells.ts';

const [GOOD, BAD_BASE, BAD_UPDATE] = ['US5AA01M', 'US5AA02M', 'US5AA03M'] as const;
const ZIPS = {
  [GOOD]: cellZip(GOOD, 4, 2),
  [BAD_BASE]: cellZip(BAD_BASE, 4, 2, { wrongSum: `${BAD_BASE}.000` }),
  [BAD_UPDATE]: cellZip(BAD_UPDATE, 4, 2, { wrongSum: `${BAD_UPDATE}.001` }),
};
const ALL_USED = [
  [GOOD, 'used', 2],
  [BAD_BASE, 'used', 2],
  [BAD_UPDATE, 'used', 2],
];

const scratch = scratchFolder();
const background = join(scratch, 'background');
const enc = join(scratch, 'enc');
let folder: string;
let runs = 0;
beforeAll(() => {
  writeSmallBackground(background, [1, 1]);
  for (const [name, zip] of Object.entries(ZIPS)) {
    // The list of an exchange set applies to its folder.
    mkdirSync(join(enc, name), { recursive: true });
    writeFileSync(join(enc, name, 'cell.zip'), zip);
  }
});
beforeEach(() => {
  folder = join(scratch, `run-${runs++}`);
});

/** The cells of a build, and the rows of its report by cell. */
function resultOf() {
  const { cells } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  const report = readFileSync(join(folder, 'report.html'), 'utf8');
  const rowsOf = (name: string) =>
    [...report.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) => row!).filter((r) => r.includes(name));
  return { used: cells.map(({ name, status, update }) => [name, status, update]), rowsOf };
}

const reportTo = () => ['--out', folder, '--report', join(folder, 'report.html'), '--jobs', '1'];
const onBackground = () => ['--background', background];

/** `charts build` with caches of its own, so that every job runs. */
const build = (...words: string[]) => {
  const caches = ['--cache', join(folder, 'cache'), '--shared-cache', join(folder, 'shared')];
  return charts('build', '--enc', enc, ...onBackground(), ...reportTo(), ...caches, ...words);
};

function expectRefusal(): void {
  const { used, rowsOf } = resultOf();
  expect(used).toEqual([
    [GOOD, 'used', 2],
    [BAD_BASE, 'refused', 0],
    [BAD_UPDATE, 'used-partly', 0],
  ]);
  expect(rowsOf(GOOD)).toEqual([]);
  expect(rowsOf(BAD_BASE)).toEqual([
    expect.stringMatching(/CRC-32 is [0-9A-F]{8}, and CATALOG\.031 lists .*not shown/),
  ]);
  expect(rowsOf(BAD_UPDATE)).toEqual([
    expect.stringMatching(/US5AA03M\.001: .*CRC-32 is .*edition 4, update 0/),
  ]);
}

function expectAcceptance(): void {
  const { used, rowsOf } = resultOf();
  expect(used).toEqual(ALL_USED);
  for (const name of [BAD_BASE, BAD_UPDATE]) {
    expect(rowsOf(name)).toEqual([expect.stringMatching(/CRC-32 is .*This chart is shown/)]);
  }
}

describe('charts build', () => {
  it('refuses a cell, or an update and later ones, and reports the reason', async () => {
    const cut = join(scratch, 'cut.zip');
    writeFileSync(cut, 'PK');
    expect(await build('--strict', '--enc', cut)).toMatchObject({
      code: EXIT.refused,
      out: expect.stringMatching(
        /The chart lacks:\n {2}US5AA02M: .*CRC-32[\s\S]*cut\.zip cannot be read.*[^.]\. Charts of this/,
      ),
    });
    expectRefusal();
  });

  it('uses them with a warning if --accept-bad-checksums is given', async () => {
    expect((await build('--strict', '--accept-bad-checksums')).code).toBe(EXIT.ok);
    expectAcceptance();
  });
});

describe('charts build with charts work', () => {
  let database: TestDatabase;
  let worker: ChildProcess;
  const packs = join(scratch, 'packs');
  beforeAll(async () => {
    database = await freshDatabase();
    const words = ['work', '--queue', database.ownerUrl, '--packs', packs, '--jobs', '1'];
    worker = spawn(process.execPath, [scriptOf('tiles-build/cli.ts'), ...words], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      worker.stderr!.on('data', (text) => {
        if (`${text}`.includes('jobs of the queue')) resolve();
      });
      worker.once('exit', (code) => reject(new Error(`charts work ended with ${code}`)));
    });
  });
  afterAll(async () => {
    worker?.kill('SIGKILL');
    await database?.stop();
  });

  it('refuses the same files, and accepts them with --accept-bad-checksums', async () => {
    const queue = ['--queue', database.ownerUrl, '--packs', packs];
    expect((await build(...queue)).code).toBe(EXIT.ok);
    expectRefusal();
    expect((await build(...queue, '--accept-bad-checksums')).code).toBe(EXIT.ok);
    expectAcceptance();
  });
});

describe('charts sync', () => {
  let producer: Producer;
  beforeAll(async () => {
    producer = await openProducer();
    producer.list = Object.keys(ZIPS).map((name) => ({ name, edition: 4, update: 2 }));
    for (const [name, zip] of Object.entries(ZIPS)) producer.zips.set(`${name}.zip`, zip);
  });
  afterAll(() => producer?.close());

  const sync = (...words: string[]) => {
    const from = ['--from', `${producer.base}/ENCProdCat.xml`, '--cells', join(folder, 'cells')];
    return charts('sync', ...from, '--all', ...onBackground(), ...reportTo(), ...words);
  };

  it('does not download them, and reports the reason', async () => {
    expect(await sync()).toMatchObject({
      code: EXIT.missing,
      notes: expect.stringMatching(/CRC-32 of US5AA02M\.000 differs from CATALOG\.031/),
    });
    const { used, rowsOf } = resultOf();
    expect(used).toEqual([[GOOD, 'used', 2]]);
    expect(rowsOf(BAD_BASE)).toEqual([expect.stringContaining('CRC-32 of US5AA02M.000 differs')]);
    expect(rowsOf(BAD_UPDATE)).toEqual([expect.stringContaining('CRC-32 of US5AA03M.001 differs')]);
    expect((await sync('--strict')).code).toBe(EXIT.refused);
  });

  it('downloads and uses them if --accept-bad-checksums is given', async () => {
    expect((await sync('--strict', '--accept-bad-checksums')).code).toBe(EXIT.ok);
    expectAcceptance();
  });
});
