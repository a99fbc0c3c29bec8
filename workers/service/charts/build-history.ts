// The builds that were current, as the bucket lists them. `npm run charts` writes the list.

import {
  buildIdOfKey,
  HISTORY_KEY,
  historySchema,
  type Manifest,
  manifestKey,
} from '../../../shared/chart/manifest.ts';
import { readManifest } from '../../../shared/chart/read-manifest.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { sha256 } from '../runtime/sha256.ts';
import { withinLimit } from '../runtime/time-limit.ts';

export interface ListedBuild {
  readonly id: string;
  /** `undefined` if the manifest is missing or damaged. */
  readonly manifest: Manifest | undefined;
}

/** The builds that were current, newest first. The first one is current. @throws ApiError 503 */
export async function listBuilds(
  env: Env,
  current: Manifest,
  most: number,
): Promise<ListedBuild[]> {
  const builds: ListedBuild[] = [{ id: current.buildId, manifest: current }];
  for (const id of await earlierIds(env, current.buildId)) {
    if (builds.length === most) break;
    if (builds.some((one) => one.id === id)) continue;
    // One at a time, because manifests can be large.
    builds.push({ id, manifest: await manifestOf(env, id) });
  }
  return builds;
}

/** Ids of the builds before the current one, newest first. */
async function earlierIds(env: Env, currentId: string): Promise<string[]> {
  const text = await textOf(env, HISTORY_KEY);
  if (text === undefined) return [];
  try {
    const { buildIds } = historySchema.parse(JSON.parse(text));
    // The list can be one build ahead of the pointer.
    const at = buildIds.lastIndexOf(currentId);
    // The portal shows ids as part of a command, so only valid ones are listed.
    return (at === -1 ? buildIds : buildIds.slice(0, at)).filter(isBuildId).reverse();
  } catch (error) {
    logFault('history', error);
    throw new ApiError('charts_unavailable');
  }
}

const isBuildId = (id: string): boolean => buildIdOfKey(manifestKey(id)) === id;

async function manifestOf(env: Env, id: string): Promise<Manifest | undefined> {
  const text = await textOf(env, manifestKey(id));
  return text === undefined ? undefined : readManifest(text, sha256).catch(() => undefined);
}

async function textOf(env: Env, key: string): Promise<string | undefined> {
  try {
    const object = await withinLimit(env.TILES.get(key));
    return object === null ? undefined : await withinLimit(object.text());
  } catch (error) {
    logFault('bucket', error);
    throw new ApiError('charts_unavailable');
  }
}
