// Temporary folders of test files.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Makes a folder that is removed after all tests of the file or suite that calls this. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
