// `charts sync`, from its options to published charts, and after it was killed.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../tiles-build/commands/exit.ts';
import { areaFeature, boxRing, writeLayer } from '../../support/background-files.ts';
import { charts } from '../../support/charts-command.ts';
import { scriptOf } from '../../support/programs.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { ROOT } from '../../support/source-files.ts';
import { openProducer, type Producer } from '../sync/support/producer.ts';
import { cellZip } from '../sync/support/producer-cells.ts';

let producer: Producer;
let scratch: string;
/** A small island with a pond, as other tests cut the land of the world. */
const background = scratchFolder();
beforeAll(() => {
  writeLayer(background, 'ne_10m_land', [areaFeature([boxRing(1, 1, 1.01, 1.01)])]);
  writeLayer(background, 'ne_10m_lakes', [areaFeature([boxRing(1, 1, 1.002, 1.002)])]);
});
beforeEach(async () => {
  producer = await openProducer();
  scratch = mkdtempSync(join(tmpdir(), 'leadline-sync-command-'));
});
afterEach(async () => {
  await producer.close();
  rmSync(scratch, { recursive: true, force: true });
});

const path = (name: string) => join(scratch, name);
const catalogue = () => `${producer.base}/ENCProdCat.xml`;

const sync = (...words: string[]) =>
  charts('sync', '--from', catalogue(), '--cells', path('cells'), ...words);

function offer(cells: Readonly<Record<string, number>>): void {
  producer.list = Object.entries(cells).map(([name, edition]) => ({ name, edition }));
  for (const [name, edition] of Object.entries(cells)) {
    producer.zips.set(`${name}.zip`, cellZip(name, edition));
  }
}

const published = () => JSON.parse(readFileSync(path('store/current.json'), 'utf8'));
const shown = () =>
  published().cells.map((cell: { name: string; edition: number }) => [cell.name, cell.edition]);

it('charts sync prints its plan and changes nothing with --dry-run', async () => {
  offer({ US5AA01M: 3 });
  const { code, out } = await sync('--all', '--dry-run');
  expect(code).toBe(EXIT.ok);
  expect(out).toContain('fetch US5AA01M 3.0 (not here) Waters of US5AA01M & more');
  expect(out).toContain('1 to fetch (0.0 MB), 0 to remove, 0 up to date. Nothing was changed.');
  expect(readdirSync(scratch)).toEqual([]);
});

it('charts sync selects by state, region and box, and reports criteria that match no cell', async () => {
  offer({ US5AA01M: 3, US5AA02M: 1, US5AA03M: 1 });
  producer.list = producer.list.map((cell, i) => ({
    ...cell,
    states: [['WA', 'OR', 'AK'][i]!],
    outline: [
      [-170 + 10 * i, 50],
      [-169 + 10 * i, 51],
    ],
  }));
  const planned = async (...words: string[]) =>
    [...(await sync('--dry-run', ...words)).out.matchAll(/fetch (\w+)/g)].map(([, name]) => name);
  expect(await planned('--state', 'or')).toEqual(['US5AA02M']);
  expect(await planned('--box', '-171,49,-168,52', '--state', 'AK')).toEqual([
    'US5AA01M',
    'US5AA03M',
  ]);
  expect(await planned('--region', '15')).toHaveLength(3);
  expect((await sync('--dry-run', '--state', 'XX')).notes).toContain('no cell of state XX');
  expect((await sync()).code).toBe(EXIT.usage);
});

it('charts sync fetches, builds, publishes and deletes old builds, and reports failures by its exit code', async () => {
  const words = ['--all', '--out', path('charts'), '--background', background, '--jobs', '1'];
  const publish = [...words, '--store', path('store'), '--keep', '1'];
  offer({ US5AA01M: 1, US5AA02M: 1 });
  expect(await sync(...publish)).toMatchObject({ code: EXIT.ok });
  const first = published().buildId;
  expect(shown()).toEqual([
    ['US5AA01M', 1],
    ['US5AA02M', 1],
  ]);

  // One zip is damaged; the other chart is still updated.
  offer({ US5AA01M: 2, US5AA02M: 2 });
  producer.zips.set('US5AA02M.zip', cellZip('US5AA02M', 2).subarray(0, 500));
  const second = await sync(...publish);
  expect(second.code).toBe(EXIT.missing);
  expect(second.notes).toContain('US5AA02M: the download is not a complete zip');
  expect(shown()).toEqual([
    ['US5AA01M', 2],
    ['US5AA02M', 1],
  ]);
  expect(readdirSync(path('store/builds'))).toEqual([published().buildId]);
  expect(published().buildId).not.toBe(first);

  // A build that lacks a chart in force is published only with --accept-losses.
  const only = ['--cell', 'US5AA01M', '--only', ...publish.slice(1)];
  const refused = await sync(...only);
  expect(refused.code).toBe(EXIT.refused);
  expect(refused.notes).toContain('lacks charts that are shown now and still in force: US5AA02M');
  expect(shown()).toHaveLength(2);
  expect((await sync(...only, '--accept-losses')).code).toBe(EXIT.ok);
  expect(shown()).toEqual([['US5AA01M', 2]]);
});

it('charts sync exits with "unavailable" and changes nothing if there is no catalogue', async () => {
  const { code, notes } = await sync('--all', '--from', `${producer.base}/nothing.xml`);
  expect([code, notes]).toEqual([EXIT.unavailable, expect.stringContaining('Nothing was changed')]);
  expect(existsSync(path('cells'))).toBe(false);
});

it('charts sync checks the keys of a bucket before it fetches anything', async () => {
  offer({ US5AA01M: 1 });
  const { code, notes } = await sync('--all', '--out', path('charts'), '--r2', 'charts');
  expect([code, notes]).toEqual([EXIT.usage, expect.stringContaining('Set CLOUDFLARE_ACCOUNT_ID')]);
  expect(existsSync(path('cells'))).toBe(false);
});

describe('charts sync killed in the middle of a download', () => {
  const run = () =>
    spawn(
      process.execPath,
      [
        ...[scriptOf('tiles-build/cli.ts'), 'sync', '--all'],
        ...['--from', catalogue(), '--cells', path('cells')],
      ],
      { cwd: ROOT, stdio: 'ignore' },
    );
  const zips = () =>
    existsSync(path('cells'))
      ? readdirSync(path('cells')).filter((file) => file.endsWith('.zip'))
      : [];

  it('keeps complete zips and resumes the download', async () => {
    offer({ US5AA01M: 1, US5AA02M: 1, US5AA03M: 1 });
    producer.decide = (name) => (name === 'US5AA02M.zip' ? 'cut' : 'none');
    // The connection stays open, but the rest never arrives.
    producer.beforeCut = () => new Promise(() => undefined);
    const part = path('cells/US5AA02M.zip.part');
    const killed = run();
    const ended = new Promise((done) => killed.on('close', done));
    await expect
      .poll(() => [zips().length, existsSync(part) && readFileSync(part).length > 0], {
        timeout: 600_000,
      })
      .toEqual([2, true]);
    killed.kill('SIGKILL');
    await ended;
    for (const zip of zips()) {
      expect(readFileSync(path(`cells/${zip}`)).equals(producer.zips.get(zip)!)).toBe(true);
    }

    producer.decide = () => 'none';
    producer.asked.length = 0;
    expect(await new Promise((done) => run().on('close', done))).toBe(EXIT.ok);
    expect(producer.asked.slice(1)).toEqual([
      expect.stringMatching(/^GET US5AA02M.zip bytes=\d+-$/),
    ]);
    for (const [zip, bytes] of producer.zips) {
      expect(readFileSync(path(`cells/${zip}`)).equals(bytes)).toBe(true);
    }
    expect(readdirSync(path('cells')).filter((file) => file.includes('.part'))).toEqual([]);
  });
});
