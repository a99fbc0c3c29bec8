// `charts inspect` with its options in every position.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeCatalog } from '../../../shared/s57/write/catalog.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { EXIT } from '../../../tiles-build/commands/exit.ts';
import { addInspectCommand } from '../../../tiles-build/commands/inspect.ts';
import { NAME, smallCell } from '../../shared/s57/small-cell.ts';
import { makeChartBuild } from '../../support/chart-fixture.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const folder = scratchFolder();
let path: string;
beforeAll(() => {
  path = join(folder, `${NAME}.000`);
  writeFileSync(path, encodeFile(smallCell()));
});

async function inspect(...words: string[]) {
  const out: string[] = [];
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addInspectCommand(program, {
    out: (line) => out.push(line),
    note: () => undefined,
    isTerminal: false,
  });
  await program.parseAsync(['inspect', ...words], { from: 'user' });
  return JSON.parse(out.join('\n'));
}

const classesOf = ({ features }: { features?: readonly { class: string }[] }) =>
  features?.map((feature) => feature.class);

describe('inspect --features', () => {
  const all = ['DEPARE', 'M_COVR', 'BOYLAT', 'SOUNDG', 'CBLSUB'];

  it('lists all features if no class is given, before and after the path', async () => {
    expect(classesOf(await inspect('--features', path))).toEqual(all);
    expect(classesOf(await inspect(path, '--features'))).toEqual(all);
    expect(classesOf(await inspect('--features', '--', path))).toEqual(all);
    expect(classesOf(await inspect('--features', folder))).toEqual(all);
    expect(classesOf(await inspect(path))).toBeUndefined();
  });

  it('lists the features of one class, before and after the path, in any case', async () => {
    for (const words of [
      ['--features', 'BOYLAT', path],
      [path, '--features', 'boylat'],
      ['--features=BOYLAT', path],
      [path, '--features=BOYLAT'],
    ]) {
      expect(classesOf(await inspect(...words))).toEqual(['BOYLAT']);
    }
  });

  it('rejects a class that does not exist, and a path that does not exist', async () => {
    await expect(inspect(path, '--features', 'BOYLAD')).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringContaining('"BOYLAD" is not an S-57 object class'),
    });
    const nowhere = join(folder, 'nowhere');
    await expect(inspect('--features', nowhere)).rejects.toMatchObject({
      exitCode: EXIT.missing,
      message: expect.stringContaining(`There is no file or folder "${nowhere}".`),
    });
  });

  it('rejects a command without a path', async () => {
    for (const words of [[], ['--features'], ['--features', 'BOYLAT']]) {
      await expect(inspect(...words)).rejects.toMatchObject({ exitCode: EXIT.usage });
    }
  });
});

describe('inspect of a tile', () => {
  it('reports a part of the build that is missing', async () => {
    const build = join(folder, 'build');
    mkdirSync(build);
    await makeChartBuild(build);
    expect(await inspect(build, '12/2048/2047')).toHaveProperty('depare');
    rmSync(join(build, 'parts'), { recursive: true });
    await expect(inspect(build, '12/2048/2047')).rejects.toMatchObject({
      exitCode: EXIT.damaged,
      message: expect.stringMatching(/ is missing\. Run the build again\.$/),
    });
    rmSync(build, { recursive: true });
  });
});

describe('inspect --accept-bad-checksums', () => {
  it('reads a cell whose checksum differs from the list', async () => {
    const box = { south: 0, west: 0, north: 1, east: 1 };
    const entry = { path: `${NAME}.000`, title: '', crc32: 0x1234_567f, box };
    const list = join(folder, 'CATALOG.031');
    writeFileSync(list, encodeCatalog([entry]));
    try {
      expect(await inspect(folder)).not.toHaveProperty('header.edition');
      const accepted = await inspect(folder, '--accept-bad-checksums');
      expect(accepted).toMatchObject({ header: { edition: 3 } });
    } finally {
      rmSync(list);
    }
  });
});
