// The files of a build, for comparing two builds byte for byte.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutTimes } from '../../shared/chart/manifest.ts';

/** Every file of a folder of charts by name, as text; the manifest without its times. */
export function buildFiles(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name !== '.cache');
  return Object.fromEntries(
    names.sort().map((name) => {
      const bytes = readFileSync(join(folder, name));
      if (name !== 'manifest.json') return [name, bytes.toString('base64')];
      return [name, JSON.stringify(withoutTimes(JSON.parse(bytes.toString())))];
    }),
  );
}
