// What a job is called in the queue. Its name has the digest of the code: a process of another version
// does not take it, as it would make other tiles; nor does one with another store, as its files would
// not be found.

import { digestOf } from '../pipeline/build-cache.ts';

/** @param code digest of the code. @param place of the store */
export const taskOf = (code: string, place: string): string => `charts-${digestOf(code, place)}`;

/** Folders of whoever does a job, in the places of those of whoever asked. */
export const OWN_FOLDERS = { cache: 'own-cache', scratch: 'own-scratch' } as const;
