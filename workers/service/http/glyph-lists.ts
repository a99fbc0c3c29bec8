// Glyphs of several fonts (`/fonts/{hash}/{font},{font}/{range}.pbf`). Maps request the whole list
// in one URL, but the static assets have one folder per font.

import { combineGlyphs } from '../../../shared/style/combine-glyphs.ts';
import { usedFonts } from '../../../shared/style/fonts.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { styleAssets } from './style-assets.ts';

const GLYPH_RANGE = /^(\/fonts\/[0-9a-f]+\/)([^/]+)\/(\d+-\d+)\.pbf$/;

/**
 * Glyphs of a path that is not a file: of several fonts together, or of the default font if no font
 * is known. The range is empty if it has no glyphs, because browsers log each 404.
 * @param path decoded path of the request
 * @returns `undefined` if the path is not a path of glyphs of this build
 * @throws ApiError 503
 */
export async function glyphsAt(
  env: Env,
  address: string,
  path: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [, folder, list, range] = GLYPH_RANGE.exec(path) ?? [];
  if (folder === undefined || list === undefined || range === undefined) return undefined;
  // During an update, another instance may have the glyphs of another build. Clients keep an empty range
  // for a year.
  const { template, stacks } = (await styleAssets(env)).fonts;
  if (!template.startsWith(folder)) return undefined;
  const found = await Promise.all(
    usedFonts(list, (font) => Object.hasOwn(stacks, font))
      .filter((font) => stacks[font]?.includes(range))
      .map((font) =>
        readRange(env, new URL(`${folder}${encodeURIComponent(font)}/${range}.pbf`, address)),
      ),
  );
  if (found.length === 0) return new Uint8Array();
  try {
    return combineGlyphs(list, range, found);
  } catch (error) {
    logFault('glyphs', error);
    throw new ApiError('artwork_unavailable');
  }
}

async function readRange(env: Env, address: URL): Promise<Uint8Array> {
  const file = await env.ASSETS?.fetch(new Request(address));
  // The index lists the file, so a 404 is a fault too.
  if (file?.status !== 200) {
    logFault('glyphs', new Error(`${address.pathname}: status ${file?.status}`));
    throw new ApiError('artwork_unavailable');
  }
  return new Uint8Array(await file.arrayBuffer());
}
