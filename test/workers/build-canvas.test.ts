// The compiled canvas of raster tiles is reused until its sources change, and is never used if they have
// an error.

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

test('the canvas is not compiled again if neither its sources nor the compiler changed', async () => {
  const made = join(root, 'dist/wasm/canvas.wasm');
  const before = statSync(made).ino;
  expect(await buildCanvas(root)).toBe(made);
  expect(statSync(made).ino).toBe(before);
});

test('an error in the sources of the canvas fails the build with its location, and no older build is used', async () => {
  const source = join(root, 'shared/raster/canvas/sort.ts');
  writeFileSync(source, `${readFileSync(source, 'utf8')}\nexport const wrong: i32 = nowhere;\n`);
  await expect(buildCanvas(root)).rejects.toThrow(/canvas\.ts: [\s\S]*nowhere[\s\S]*sort\.ts/);
});
