// The index of sprites and glyphs, read once per isolate from the static assets.

import {
  ASSETS_INDEX_NAME,
  type AssetsIndex,
  assetsIndexSchema,
} from '../../../shared/style/assets-index.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';

/** Cache: the index never changes within a deployment. */
let held: AssetsIndex | undefined;

/** @throws ApiError 503 if the assets cannot be read */
export async function styleAssets(env: Env): Promise<AssetsIndex> {
  if (held !== undefined) return held;
  try {
    const found = await env.ASSETS?.fetch(`https://assets.invalid/${ASSETS_INDEX_NAME}`);
    if (found?.status !== 200) throw new Error(`${ASSETS_INDEX_NAME} is missing`);
    held = assetsIndexSchema.parse(await found.json());
    return held;
  } catch (error) {
    logFault('style assets', error);
    throw new ApiError('artwork_unavailable');
  }
}
