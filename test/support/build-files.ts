// The files of a build, for comparing two builds byte for byte.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { withoutTimes } from '../../shared/chart/manifest.ts';

/** Every file of a folder of charts by its path, as text; the manifest without its times. */
export function buildFiles(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith('.cache'));
  return Object.fromEntries(
    names.sort().map((name) => {
      const bytes = readFileSync(join(folder, name));
      if (name !== 'manifest.json') return [name, bytes.toString('base64')];
      return [name, JSON.stringify(withoutTimes(JSON.parse(bytes.toString())))];
    }),
  );
}
