// The WebAssembly module that draws raster tiles is compiled again only if its sources change. If they have
// an error, no earlier module is used.

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

test('buildCanvas does not compile again if neither the sources nor the compiler changed', async () => {
  const wasmPath = join(root, 'dist/wasm/canvas.wasm');
  const before = statSync(wasmPath).ino;
  expect(await buildCanvas(root)).toBe(wasmPath);
  expect(statSync(wasmPath).ino).toBe(before);
});

test('buildCanvas rejects with the location of an error in the sources', async () => {
  const source = join(root, 'shared/raster/canvas/sort.ts');
  writeFileSync(source, `${readFileSync(source, 'utf8')}\nexport const wrong: i32 = nowhere;\n`);
  await expect(buildCanvas(root)).rejects.toThrow(/canvas\.ts: [\s\S]*nowhere[\s\S]*sort\.ts/);
});
