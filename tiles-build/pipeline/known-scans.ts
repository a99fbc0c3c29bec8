// Scans of cells whose files have not changed since an earlier build. They are recognized by the state
// of their files, so that a small change does not read all cells of a nation.

import { existsSync } from 'node:fs';
import { fileState, lastChangeOf } from '../archive/file-state.ts';
import { type BuildCache, digestOf, readJson, writeJson } from './build-cache.ts';
import type { CellLocation } from './cell-location.ts';
import type { CellScan } from './scan-cell.ts';

/** Keys of scans by the state of the files. */
type Keys = Record<string, string>;

/** A file that changed less than this before it was read may change again at the same time. */
const SETTLED_MS = 2000;

export interface KnownScans {
  /** @throws DamagedFile */
  find(location: CellLocation): { readonly scan: CellScan; readonly key: string } | undefined;
  /** Remember a scan for the next build. */
  add(location: CellLocation, key: string): void;
  save(): void;
}

/** @param code digest of the code */
export function openKnownScans(cache: BuildCache, code: string): KnownScans {
  const path = cache.path('scans', digestOf('known', code));
  const before = existsSync(path) ? (readJson(path) as Keys) : {};
  const added: Keys = {};
  const startedAt = Date.now();
  const pathsOf = ({ base, updates }: CellLocation) =>
    (base === undefined ? updates : [base, ...updates]).map((file) => file.path);
  const stateOf = (location: CellLocation) =>
    digestOf(JSON.stringify(location), ...pathsOf(location).map(fileState));
  const states = new Map<string, string>();
  return {
    find(location) {
      const state = stateOf(location);
      states.set(location.name, state);
      const key = before[state];
      if (key === undefined || !cache.has('scans', key)) return undefined;
      added[state] = key;
      return { scan: readJson(cache.path('scans', key)) as CellScan, key };
    },
    add(location, key) {
      const state = states.get(location.name);
      const isSettled = pathsOf(location).every(
        (file) => lastChangeOf(file) < startedAt - SETTLED_MS,
      );
      // A state from before the scan: a file that changed in between gets another one.
      if (state !== undefined && isSettled) added[state] = key;
    },
    save() {
      // Other builds with this cache, such as those of other accounts, keep their scans.
      for (const [state, key] of Object.entries(before)) {
        if (cache.has('scans', key)) added[state] = key;
      }
      writeJson(path, added);
    },
  };
}
