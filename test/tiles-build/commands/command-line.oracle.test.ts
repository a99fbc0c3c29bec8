// The output and exit codes of `charts`.

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PartIndex } from '../../../shared/chart/part-index.ts';
import { partKey } from '../../../shared/chart/part-line.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { EXIT } from '../../../tiles-build/commands/exit.ts';
import { NAME, smallCell, update } from '../../shared/s57/small-cell.ts';
import { charts } from '../../support/charts-command.ts';
import { copyFolder } from '../../support/copy-folder.ts';
import { encData } from '../../support/enc-data.ts';
import { manifestOf } from '../../support/manifest-of.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { writeSmallBackground } from '../../support/small-cells.ts';
import { archiveOf } from '../../support/whole-archive.ts';

const ENC_ROOT = encData('ENC_ROOT');

const scratch = scratchFolder();

describe('the command line', () => {
  it('prints help with commands and exit codes', async () => {
    const help = await charts('--help');
    expect(help.code).toBe(EXIT.ok);
    for (const command of [
      'build',
      'demo',
      'inspect',
      'fetch',
      'publish',
      'rollback',
      'prune',
      'sync',
    ]) {
      expect(help.out).toContain(command);
      const one = await charts(command, '--help');
      expect(one.code).toBe(EXIT.ok);
      expect(one.out).toContain(`Usage: charts ${command}`);
    }
    expect(help.out).toContain('3  no cell could be used');
    expect(help.out).toContain('not for navigation');
  });

  const misuses: readonly (readonly string[])[] = [
    [],
    ['bake'],
    ['build', '--out', 'x'],
    ['build', '--enc', 'x'],
    ['build', '--enc', '.', '--out', 'x', '--jobs', 'many'],
    ['build', '--enc', '.', '--out', 'x', '--processed-at', 'soon'],
    ['fetch', '--out', 'x'],
    ['publish', 'x'],
    ['publish', 'x', '--local', '--remote'],
    ['publish', 'x', '--store', 'y', '--endpoint', 'https://s3.example'],
    ['publish', 'x', '--s3', 'Not_A_Bucket'],
    ['publish', 'x', '--r2', 'charts', '--remote'],
    ['publish', 'x', '--store', 'x'],
    ['publish', 'x/store/charts', '--local', '--data', 'x'],
    ['sync', '--cells', 'x', '--all', '--out', 'y/charts', '--store', 'y'],
    ['prune', '--store', 'x'],
    ['prune', '--store', 'x', '--keep', '0'],
    ['sync', '--all'],
    ['sync', '--cells', 'x', '--box', '1,2,3'],
    ['sync', '--cells', 'x', '--box', '0,10,5,5'],
    ['sync', '--cells', 'x', '--all', '--store', 'y'],
    ['sync', '--cells', 'x', '--all', '--out', 'y', '--keep', '3'],
    ['sync', '--cells', 'x', '--all', '--accept-losses'],
    ['build', '--enc', '.', '--out', 'x', '--licensed'],
    ['build', '--enc', '.', '--out', 'x', '--licence-date', '2026-06-10'],
    ['rollback', '--store', 'x', '--data', 'y'],
    ['rollback'],
    ['inspect'],
  ];
  it.each(misuses.map((words) => [words.join(' ') || '(nothing)', words] as const))(
    'reports a usage error for: %s',
    async (_text, words) => {
      const { code, notes } = await charts(...words);
      expect(code).toBe(EXIT.usage);
      expect(notes).not.toBe('');
    },
  );

  it('reports missing folders', async () => {
    const nowhere = join(scratch, 'nowhere');
    for (const words of [
      ['build', '--enc', nowhere, '--out', join(scratch, 'x')],
      ['build', '--enc', scratch, '--background', nowhere, '--out', join(scratch, 'x')],
      ['inspect', nowhere],
    ]) {
      expect(await charts(...words)).toEqual({
        code: EXIT.missing,
        out: '',
        notes: expect.stringContaining(`There is no file or folder "${nowhere}".`),
      });
    }
  });

  it('exits with noCharts if there are no cells or no valid cells', async () => {
    const folder = join(scratch, 'hopeless');
    mkdirSync(folder);
    const build = () => charts('build', '--enc', folder, '--out', join(scratch, 'hopeless-out'));
    expect(await build()).toMatchObject({
      code: EXIT.noCharts,
      notes: expect.stringContaining('No cells found'),
    });
    writeFileSync(join(folder, 'US5WA22M.000'), 'not a cell');
    const { code, notes } = await build();
    expect(code).toBe(EXIT.noCharts);
    expect(notes).toContain('US5WA22M: refused');
    expect(notes).toContain('None of 1 cells could be used. Correct the listed problems');
  });

  it('exits with noCharts and names the cells if all are withdrawn', async () => {
    const folder = join(scratch, 'withdrawn');
    mkdirSync(folder);
    writeFileSync(join(folder, `${NAME}.000`), encodeFile(smallCell()));
    writeFileSync(join(folder, `${NAME}.001`), encodeFile(update(1, {}, { edition: '0' })));
    const { code, notes } = await charts('build', '--enc', folder, '--out', `${folder}-out`);
    expect(code).toBe(EXIT.noCharts);
    expect(notes).toContain(`Withdrawn by their producers: ${NAME}. Charts that were published`);
    expect(notes).not.toContain('Correct the listed problems');
  });

  it('refuses to publish a folder without a build', async () => {
    const folder = join(scratch, 'no-build');
    mkdirSync(folder);
    const data = join(scratch, 'no-build-data');
    const { code, notes } = await charts('publish', folder, '--local', '--data', data);
    expect(code).toBe(EXIT.damaged);
    expect(notes).toContain('contains no manifest.json');
  });

  it('refuses to publish a build into its own folder, also through a link', async () => {
    const [folder, link] = [join(scratch, 'own'), join(scratch, 'own-link')];
    mkdirSync(folder);
    symlinkSync(folder, link);
    const { code, notes } = await charts('publish', folder, '--store', link);
    expect(code).toBe(EXIT.usage);
    expect(notes).toContain('Build into another folder.');
    const beside = await charts('publish', folder, '--store', `${folder}-store`);
    expect(beside.code).toBe(EXIT.damaged);
    writeFileSync(join(folder, 'current.json'), '{}');
    const build = await charts('build', '--enc', folder, '--out', folder);
    expect([build.code, build.notes]).toEqual([
      EXIT.failed,
      expect.stringContaining('contains published charts (current.json)'),
    ]);
  });

  it('reports that a new bucket has nothing to roll back', async () => {
    const { code, notes } = await charts('rollback', '--local', '--data', join(scratch, 'new'));
    expect(code).toBe(EXIT.missing);
    expect(notes).toMatch(/^Nothing has been published to this bucket\. /);
  });
});

/** Path of the part with a vector tile. */
function partIn(folder: string, tile: TileId): string {
  const index = PartIndex.of(archiveOf(manifestOf(folder), 'enc-v2'));
  return join(folder, partKey(index.parts[index.partOf(tile)!]!.sha256));
}

describe.runIf(existsSync(ENC_ROOT))('the command line with real cells', () => {
  let enc: string;
  let out: string;
  let data: string;
  let built: Awaited<ReturnType<typeof charts>>;
  beforeAll(async () => {
    enc = join(scratch, 'cells');
    out = join(scratch, 'charts');
    data = join(scratch, 'data');
    copyFolder(join(ENC_ROOT, 'US5AK5QF'), join(enc, 'US5AK5QF'));
    writeFileSync(join(enc, 'US5AK5QG.000'), 'damaged in transport');
    const background = join(scratch, 'background');
    writeSmallBackground(background, [-153, 59]);
    const words = ['--enc', enc, '--background', background, '--out', out, '--jobs', '1'];
    built = await charts('build', ...words);
  });

  it('builds the valid cells, reports the others, and succeeds', () => {
    expect(built.code).toBe(EXIT.ok);
    expect(built.out).toContain('Cells: 1 used, 0 used partly, 0 cancelled, 1 refused.');
    expect(built.out).toMatch(/enc-v2: \d+ tiles, zoom 0 to 15, .* MB in \d+ parts/);
    expect(built.notes).toContain('US5AK5QG: refused');
    expect(built.notes).toMatch(/Cutting tiles: (\d+) of \1$/m);
    expect(existsSync(join(out, 'manifest.json'))).toBe(true);
  });

  it('lists missing parts, writes the report, and exits with code 5 if --strict is given', async () => {
    expect(built.out).toContain('The chart lacks:\n  US5AK5QG: ');
    const report = join(scratch, 'reports', 'report.html');
    const words = ['--enc', enc, '--background', join(scratch, 'background'), '--out', out];
    const strict = await charts('build', ...words, '--jobs', '1', '--strict', '--report', report);
    expect(strict.code).toBe(EXIT.refused);
    expect(strict.notes).toContain('The chart lacks 1 part (--strict);');
    expect(readFileSync(report, 'utf8')).toContain('<td>US5AK5QG</td>');
  });

  it('inspects a cell, in short and by object class', async () => {
    const path = join(enc, 'US5AK5QF', 'US5AK5QF.000');
    const { out: text, code } = await charts('inspect', path);
    expect(code).toBe(EXIT.ok);
    expect(JSON.parse(text)).toMatchObject({
      name: 'US5AK5QF',
      header: { usageBand: 5, scaleDenominator: 22_000, edition: 1, update: 0 },
      problems: [],
      records: { features: 171 },
      classes: { DEPARE: 35, DEPCNT: 37, UWTROC: 34 },
    });
    const { features } = JSON.parse((await charts('inspect', path, '--features', 'obstrn')).out);
    expect(features).toHaveLength(3);
    expect(features[0]).toMatchObject({ class: 'OBSTRN', primitive: 'area' });
  });

  it('inspects a build, an archive and a tile with reproducible output', async () => {
    const part = partIn(out, { z: 13, x: 639, y: 2404 });
    for (const words of [[out], [part], [part, '13/639/2404'], [out, '13/639/2404']]) {
      const once = await charts('inspect', ...words);
      expect(once.code).toBe(EXIT.ok);
      expect((await charts('inspect', ...words)).out).toBe(once.out);
      JSON.parse(once.out);
    }
    const { out: tile } = await charts('inspect', out, '13/639/2404');
    expect(Object.keys(JSON.parse(tile))).toContain('DEPARE');
    expect((await charts('inspect', part, '13/639/2404')).out).toBe(tile);
    const raw = await charts('inspect', out, '10/79/300', '--tileset', 'data-geojson-v1');
    expect(JSON.parse(raw.out).type).toBe('FeatureCollection');
  });

  it('reports absent and malformed tiles and damaged archives', async () => {
    const archive = partIn(out, { z: 13, x: 639, y: 2404 });
    expect((await charts('inspect', archive, '16/0/0')).code).toBe(EXIT.missing);
    expect((await charts('inspect', out, '16/0/0')).code).toBe(EXIT.missing);
    expect((await charts('inspect', out, '1/0/0', '--tileset', 'x')).code).toBe(EXIT.usage);
    expect((await charts('inspect', archive, '3/8/0')).code).toBe(EXIT.usage);
    expect((await charts('inspect', archive, 'a/b/c')).code).toBe(EXIT.usage);
    expect((await charts('inspect', join(enc, 'US5AK5QF'), '1/0/0')).code).toBe(EXIT.usage);
    const cut = join(scratch, 'cut.pmtiles');
    writeFileSync(cut, readFileSync(archive).subarray(0, 50));
    expect((await charts('inspect', cut)).code).toBe(EXIT.damaged);
  });

  it('publishes a build once, and rejects it if it is damaged', async () => {
    const publish = () => charts('publish', out, '--local', '--data', data);
    expect((await publish()).out).toMatch(/^Build \w+ is current now\.$/);
    expect((await publish()).out).toMatch(/was current already/);
    const path = partIn(out, { z: 13, x: 639, y: 2404 });
    const bytes = readFileSync(path);
    bytes[bytes.length - 100]! ^= 1;
    writeFileSync(path, bytes);
    expect((await publish()).code).toBe(EXIT.damaged);
    expect((await charts('inspect', out)).code).toBe(EXIT.damaged);
  });
});
