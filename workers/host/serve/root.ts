// Finds the installation: a checkout, or its copy in a container.

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The nearest parent folder that contains `migrations`. @throws Error if no parent folder contains it */
function projectFolder(): string {
  let folder: string = import.meta.dirname;
  while (!existsSync(join(folder, 'migrations')) && folder !== dirname(folder)) {
    folder = resolve(folder, '..');
  }
  if (!existsSync(join(folder, 'migrations')))
    throw new Error(
      'The installation of Leadline is incomplete: there is no folder `migrations`. Install it again.',
    );
  return folder;
}

export const ROOT = projectFolder();

/** Whether this is a program of `npm run build -- --programs`. The installation may lack build tools. */
export const isPacked = (): boolean => import.meta.filename.endsWith('.js');
