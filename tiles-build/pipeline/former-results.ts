// Where the latest build with a cache left its results, so that the next build makes again only what
// changed in them.

import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { digestOf, readJson, writeJson } from './build-cache.ts';
import type { BuildContext } from './build-context.ts';

/** Paths of results in the cache. */
export interface FormerResults<Results> {
  /**
   * The results, if there are any and their files exist. Queued jobs do not use them: they run where these files are not.
   * @param pathsOf the files without which the results are of no use; default: none
   */
  find(pathsOf?: (results: Results) => readonly string[]): Results | undefined;
  save(latest: Results): void;
}

/** @param names of the kind of results */
export function openFormerResults<Results>(
  { cache, code, pool }: BuildContext,
  ...names: readonly [string, ...string[]]
): FormerResults<Results> {
  const path = cache.path('archives', digestOf(names[0], code, ...names.slice(1)));
  return {
    find(pathsOf = () => []) {
      if (!Number.isFinite(pool.size) || !existsSync(path)) return undefined;
      // The results may have been made with another cache, or in another folder.
      const results = readJson(path, (_, value: unknown) =>
        typeof value === 'string' && isAbsolute(value) ? cache.own(value) : value,
      ) as Results;
      return pathsOf(results).every(existsSync) ? results : undefined;
    },
    save: (latest) => writeJson(path, latest),
  };
}
