// Task names in the queue. A name contains the digest of the code and of the store, so that
// processes with another version or another store do not take the job.

import { digestOf } from '../pipeline/build-cache.ts';

/** @param code digest of the code. @param place address of the store */
export const taskOf = (code: string, place: string): string => `charts-${digestOf(code, place)}`;

/** Placeholders for folders of the process that runs the job. */
export const OWN_FOLDERS = { cache: 'own-cache', scratch: 'own-scratch' } as const;
