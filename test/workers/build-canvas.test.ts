// The canvas of raster tiles, compiled: once for its sources, and never where they have a mistake.

import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildCanvas } from '../../workers/host/bundle/build-canvas.ts';
import { ROOT } from '../support/source-files.ts';

let root: string;
beforeEach(async () => {
  await buildCanvas(ROOT);
  root = mkdtempSync(join(tmpdir(), 'leadline-canvas-'));
  for (const path of ['shared/raster/canvas', 'shared/raster/paint', 'dist/wasm']) {
    cpSync(join(ROOT, path), join(root, path), { recursive: true });
  }
});
afterEach(() => rmSync(root, { recursive: true }));

test('the canvas is not compiled again where neither its sources nor the compiler changed', async () => {
  const made = join(root, 'dist/wasm/canvas.wasm');
  const before = statSync(made).ino;
  expect(await buildCanvas(root)).toBe(made);
  expect(statSync(made).ino).toBe(before);
});

test('a mistake in the canvas’s sources ends the build with its place, and nothing older is taken', async () => {
  const source = join(root, 'shared/raster/canvas/sort.ts');
  writeFileSync(source, `${readFileSync(source, 'utf8')}\nexport const wrong: i32 = nowhere;\n`);
  await expect(buildCanvas(root)).rejects.toThrow(/canvas\.ts: [\s\S]*nowhere[\s\S]*sort\.ts/);
});
