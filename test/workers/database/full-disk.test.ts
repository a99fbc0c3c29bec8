// Files that a service creates once, while the disk is full.

import fs, { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOnce } from '../../../workers/host/database/create-once.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const folder = scratchFolder();
const path = join(folder, 'keys.json');
const write = fs.writeFileSync;
beforeEach(() => {
  // The disk has room for a part of the text.
  vi.spyOn(fs, 'writeFileSync').mockImplementation((file, text, options) => {
    write(file, String(text).slice(0, 1), options);
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test('a file that cannot be created leaves nothing', () => {
  expect(() => writeFileSync(join(folder, 'part'), 'text')).toThrow('ENOSPC');
  fs.rmSync(join(folder, 'part'));
  expect(() => createOnce(path, 'new')).toThrow('ENOSPC');
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that exists is read', () => {
  write(path, 'old');
  expect(createOnce(path, 'new')).toBe('old');
  expect(readFileSync(path, 'utf8')).toBe('old');
});
