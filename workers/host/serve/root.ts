// Where this installation is: a checkout, or what a container holds of one.

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The nearest folder above this file that is the project's. @throws Error where there is none */
function projectFolder(): string {
  let folder: string = import.meta.dirname;
  while (!existsSync(join(folder, 'migrations')) && folder !== dirname(folder)) {
    folder = resolve(folder, '..');
  }
  if (!existsSync(join(folder, 'migrations'))) throw new Error('Leadline is not installed whole.');
  return folder;
}

export const ROOT = projectFolder();

/** Whether this is what `npm run build -- --programs` made: plain scripts, and no tools beside them. */
export const isPacked = (): boolean => import.meta.filename.endsWith('.js');
