// Builds of encrypted charts through the command line: what is refused, what is on the disk, and what a licence
// permits.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../shared/chart/manifest.ts';
import { EXIT } from '../../../tiles-build/commands/exit.ts';
import { charts } from '../../support/charts-command.ts';
import { DataServer, SigningKey, writeFiles } from '../../support/s63-server.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { writeSmallBackground } from '../../support/small-cells.ts';
import { cellFiles } from '../sync/support/producer-cells.ts';

const SETTINGS = {
  LEADLINE_S63_M_ID: '10',
  LEADLINE_S63_M_KEY: '10121',
  LEADLINE_S63_HW_ID: '12345',
  LEADLINE_S63_CACHE_KEY: '5a'.repeat(32),
};
const [LICENSED, OTHER, PLAIN] = ['US5AA01M', 'US5AA02M', 'US5AA03M'] as const;
/** The name of the buoy in each cell, which tiles contain. */
const SECRET = 'After update 2';

const scratch = scratchFolder();
const at = (name: string) => join(scratch, name);
const scheme = new SigningKey();
const server = new DataServer('AA', scheme);

beforeAll(() => {
  Object.assign(process.env, SETTINGS);
  writeSmallBackground(at('background'), [1, 1]);
  const encrypted = new Map([...cellFiles(LICENSED, 1, 2), ...cellFiles(OTHER, 1, 2)]);
  writeFiles(at('V01X01'), server.delivery(encrypted));
  writeFiles(at('plain'), cellFiles(PLAIN, 3, 1));
  const permits = server.permitFile([server.permit(LICENSED, { expires: '20260630' })]);
  writeFiles(
    scratch,
    new Map([
      ['PERMIT.TXT', permits],
      ['IHO.PUB', scheme.publicFile],
    ]),
  );
});
afterAll(() => {
  for (const name of Object.keys(SETTINGS)) delete process.env[name];
});

const build = (out: string, ...words: string[]) =>
  charts(
    'build',
    '--enc',
    at('V01X01'),
    '--enc',
    at('plain'),
    '--background',
    at('background'),
    '--out',
    at(out),
    '--shared-cache',
    at(`${out}-shared`),
    '--jobs',
    '1',
    ...words,
  );
const LICENCE = () => [
  '--permits',
  at('PERMIT.TXT'),
  '--sa',
  at('IHO.PUB'),
  '--licence-date',
  '2026-06-10',
];
const manifestOf = (out: string) =>
  JSON.parse(readFileSync(join(at(out), 'manifest.json'), 'utf8')) as Manifest;
const statusOf = (out: string) =>
  manifestOf(out).cells.map(({ name, status, update }) => [name, status, update]);

/** The files below a folder that contain a text, as it is or compressed in a tile. */
function filesWith(folder: string, text: string): string[] {
  const files = (readdirSync(folder, { recursive: true }) as string[]).map((name) =>
    join(folder, name),
  );
  return files.filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}

describe('charts build', () => {
  it('refuses encrypted cells without permits, by name, and uses the others', async () => {
    const { code, out } = await build('none');
    expect(code).toBe(EXIT.ok);
    expect(out).toContain(
      `${LICENSED}: ${LICENSED} is encrypted (S-63) and is not used. Use --permits`,
    );
    expect(statusOf('none')).toEqual([
      [LICENSED, 'refused', 0],
      [OTHER, 'refused', 0],
      [PLAIN, 'used', 1],
    ]);
    expect(manifestOf('none').s63).toBeUndefined();
    expect((await build('none', '--strict')).code).toBe(EXIT.refused);
  });

  it('refuses permits without --licensed, without a cache key, with --queue, and without files', async () => {
    expect(await build('no', ...LICENCE())).toMatchObject({
      code: EXIT.usage,
      notes: expect.stringContaining('--licensed'),
    });
    const queue = ['--queue', 'postgres://localhost/x', '--packs', at('packs')];
    expect(await build('no', ...LICENCE(), '--licensed', ...queue)).toMatchObject({
      code: EXIT.usage,
      notes: expect.stringContaining('--queue'),
    });
    expect((await build('no', '--permits', at('absent'), '--licensed')).code).toBe(EXIT.missing);
    for (const name of ['LEADLINE_S63_CACHE_KEY', 'LEADLINE_S63_HW_ID'] as const) {
      delete process.env[name];
      expect(await build('no', ...LICENCE(), '--licensed')).toMatchObject({
        code: EXIT.usage,
        notes: expect.stringContaining(name),
      });
      process.env[name] = SETTINGS[name];
    }
  });

  it('uses the cells with a permit, names the missing permit, and seals everything in the cache', async () => {
    const { code, out, notes } = await build('licensed', ...LICENCE(), '--licensed');
    expect(code).toBe(EXIT.ok);
    expect(notes).toContain(
      `${LICENSED}: 3 files of data server AA decrypted, permit until 2026-06-30`,
    );
    expect(notes).toContain('SSE 20');
    expect(out).toContain(
      `SSE 11: There is no permit. Load the permit file of the chart supplier. A permit of data server AA for ${OTHER} is missing`,
    );
    expect(statusOf('licensed')).toEqual([
      [LICENSED, 'used', 2],
      [OTHER, 'refused', 0],
      [PLAIN, 'used', 1],
    ]);
    const [first] = manifestOf('licensed').cells;
    expect(first?.s63).toEqual({ dataServer: 'AA', expires: '20260630', isSubscription: true });
    expect(manifestOf('licensed').s63).toEqual({ extracts: false });
    expect(`${out}${notes}`).not.toMatch(/12345|10121/);
  });

  it('leaves no text of a chart in the cache, unlike a cache that is not sealed', async () => {
    const cache = join(at('licensed'), '.cache');
    expect(readdirSync(join(cache, 'cells'))).toHaveLength(3);
    expect([...filesWith(cache, SECRET), ...filesWith(at('licensed-shared'), SECRET)]).toEqual([]);
    expect(
      filesWith(cache, LICENSED).filter((path) => !path.includes(`cells/${LICENSED}`)),
    ).toEqual([]);
    delete process.env['LEADLINE_S63_CACHE_KEY'];
    await charts(
      'build',
      '--enc',
      at('plain'),
      '--background',
      at('background'),
      '--out',
      at('open'),
      '--shared-cache',
      at('open-shared'),
      '--jobs',
      '1',
    );
    process.env['LEADLINE_S63_CACHE_KEY'] = SETTINGS.LEADLINE_S63_CACHE_KEY;
    expect(filesWith(join(at('open'), '.cache'), 'After update 1').length).toBeGreaterThan(0);
  });

  it('takes everything from the sealed cache in a second build, and nothing with another key', async () => {
    const id = manifestOf('licensed').buildId;
    expect((await build('licensed', ...LICENCE(), '--licensed')).out).toContain(
      'Work: 0 cells read, 0 cut into tiles, 0 parts merged',
    );
    process.env['LEADLINE_S63_CACHE_KEY'] = '6b'.repeat(32);
    expect((await build('licensed', ...LICENCE(), '--licensed')).out).toContain(
      'Work: 2 cells read',
    );
    process.env['LEADLINE_S63_CACHE_KEY'] = SETTINGS.LEADLINE_S63_CACHE_KEY;
    expect(manifestOf('licensed').buildId).toBe(id);
  });

  it('extracts regions only if the licence permits it', async () => {
    const extract = (out: string) =>
      charts(
        'extract',
        '--bbox',
        '-1,-1,1,1',
        '--max-zoom',
        '3',
        '--charts',
        at(out),
        '--assets',
        'dist/assets',
        at(`${out}.pmtiles`),
      );
    expect(await extract('licensed')).toMatchObject({
      code: EXIT.refused,
      notes: expect.stringContaining('--licensed-extracts'),
    });
    await build('extracts', ...LICENCE(), '--licensed', '--licensed-extracts');
    expect(manifestOf('extracts').s63).toEqual({ extracts: true });
    expect((await extract('extracts')).code).not.toBe(EXIT.refused);
  });
});

describe('charts inspect', () => {
  it('decrypts in memory and reports each cell', async () => {
    const { code, out } = await charts('inspect', at('V01X01'), ...LICENCE());
    expect(code).toBe(EXIT.ok);
    const cells = JSON.parse(out) as {
      name: string;
      header?: object;
      problems: { code: string }[];
    }[];
    expect(
      cells.map(({ name, header, problems }) => [
        name,
        header !== undefined,
        problems.map(({ code: one }) => one),
      ]),
    ).toEqual([
      [LICENSED, true, ['sse-20']],
      [OTHER, false, ['sse-11']],
    ]);
  });

  it('warns about a certificate that has expired next to a valid one', async () => {
    const old = new SigningKey().certificate('Demo', ['20200101', '20251231']);
    writeFiles(scratch, new Map([['OLD.CRT', old]]));
    const { code, out } = await charts(
      'inspect',
      at('V01X01'),
      ...LICENCE(),
      '--sa',
      at('OLD.CRT'),
    );
    expect(code).toBe(EXIT.ok);
    const { problems, cells } = JSON.parse(out);
    expect(problems).toMatchObject([{ code: 'sse-22', severity: 'warning', file: 'OLD.CRT' }]);
    expect(cells[0]).toMatchObject({ name: LICENSED, header: { update: 2 } });
  });

  it('refuses encrypted cells without permits', async () => {
    expect((await charts('inspect', at('V01X01'))).out).toContain('s63-not-configured');
  });
});

describe('charts permit', () => {
  it('prints the user permit, and each permit with its end', async () => {
    expect(await charts('permit')).toMatchObject({
      code: EXIT.ok,
      out: 'User permit: 66B5CBFDF7E4139D5B6086C23130',
    });
    const { out } = await charts('permit', at('PERMIT.TXT'), '--licence-date', '2026-06-10');
    expect(out).toContain(`${LICENSED}: data server AA, subscription until 2026-06-30. SSE 20`);
    expect((await charts('permit', at('IHO.PUB'))).code).toBe(EXIT.refused);
    expect((await charts('permit', '--licence-date', '2026-02-30')).code).toBe(EXIT.usage);
    expect((await charts('permit', '--help')).out).toContain('LEADLINE_S63_HW_ID');
  });
});
