// Writes the assets to their folder unless they are already there, and removes older ones.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ASSETS_INDEX_NAME, type AssetsIndex } from '../../shared/style/assets-index.ts';
import { makeAssetFiles, SPRITE_RATIOS } from './asset-files.ts';

/** The sources of the assets, relative to the repository. Folders count with all source files. */
const INPUTS = [
  'package-lock.json',
  'shared/chart/symbol-names.ts',
  'shared/region/stored-zip.ts',
  'shared/style/options.ts',
  'shared/style/palette-cie.ts',
  'shared/style/palette-srgb.ts',
  'shared/style/palette.ts',
  'tiles-build/symbols',
] as const;

export interface WrittenAssets {
  readonly index: AssetsIndex;
  readonly state: 'built' | 'unchanged';
}

/** Builds the assets of the repository at `root` into `folder`, unless they are up to date. */
export async function writeAssets(root: string, folder: string): Promise<WrittenAssets> {
  const inputs = await inputsDigest(root);
  const known = await readIndex(folder);
  if (known?.inputs === inputs && isComplete(folder, known)) {
    return { index: known, state: 'unchanged' };
  }
  const files = await makeAssetFiles(inputs);
  for (const [path, bytes] of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
  const index = await readIndex(folder);
  if (index === undefined) throw new Error(`${join(folder, ASSETS_INDEX_NAME)} was not written.`);
  await removeOthers(join(folder, 'sprites'), index.sprites.hash);
  await removeOthers(join(folder, 'fonts'), index.fonts.hash);
  await removeOthers(join(folder, 'web-fonts'), index.webFonts.hash);
  await removeOthers(join(folder, 'imagery'), index.imagery?.hash ?? '');
  await removeOthers(join(folder, 'offline'), `${index.offline.hash}.bin`);
  return { index, state: 'built' };
}

/** The index of an asset folder; `undefined` if it is missing or unreadable. */
async function readIndex(folder: string): Promise<AssetsIndex | undefined> {
  try {
    const index = JSON.parse(await readFile(join(folder, ASSETS_INDEX_NAME), 'utf8'));
    return index?.format === 1 ? index : undefined;
  } catch {
    // Missing or truncated: the assets are built again.
    return undefined;
  }
}

function isComplete(folder: string, index: AssetsIndex): boolean {
  const { sprites, fonts, webFonts, imagery, offline } = index;
  const spriteFiles = Object.values(sprites.themes).flatMap((address) =>
    SPRITE_RATIOS.flatMap((ratio) => {
      const base = ratio === 1 ? address : `${address}@2x`;
      return [`${base}.json`, `${base}.png`];
    }),
  );
  const glyphs = Object.entries(fonts.stacks).flatMap(([stack, ranges]) =>
    ranges.map((range) => fonts.template.replace('{fontstack}', stack).replace('{range}', range)),
  );
  const pictures = imagery === undefined ? [] : tilesOf(imagery.template, imagery.maxZoom);
  return [...spriteFiles, ...glyphs, ...webFonts.files, ...pictures, offline.file].every(
    (address) => existsSync(join(folder, address)),
  );
}

/** URLs of all tiles of a template. */
function tilesOf(template: string, maxZoom: number): string[] {
  const addresses: string[] = [];
  for (let z = 0; z <= maxZoom; z++) {
    for (let i = 0; i < 4 ** z; i++) {
      const [x, y] = [i % 2 ** z, Math.floor(i / 2 ** z)];
      addresses.push(template.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`));
    }
  }
  return addresses;
}

async function inputsDigest(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const input of INPUTS) {
    for (const path of await sourcesOf(root, input)) {
      hash.update(`${path}\n`).update(await readFile(join(root, path)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function sourcesOf(root: string, input: string): Promise<string[]> {
  if (/\.[a-z]+$/.test(input)) return [input];
  const names = await readdir(join(root, input));
  return names
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => `${input}/${name}`);
}

async function removeOthers(folder: string, kept: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== kept) await rm(join(folder, name), { recursive: true });
  }
}
