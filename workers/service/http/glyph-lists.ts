// Glyphs of a list of fonts (`/fonts/{hash}/{font},{font}/{range}.pbf`): maps ask for the list as a
// whole, and the static assets have one folder a font.

import { combineGlyphs } from '../../../shared/style/combine-glyphs.ts';
import { fontsOf, MAX_FONTS } from '../../../shared/style/fonts.ts';
import type { Env } from '../runtime/env.ts';
import { artworkUnavailable } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';

const GLYPH_RANGE = /^(\/fonts\/[0-9a-f]+\/)([^/]+)\/(\d+-\d+)\.pbf$/;

/**
 * One range of glyphs at an address that is no file: of a list of fonts, or none at all, as a 404
 * would fill the clients' consoles.
 * @param path decoded, of the request's address
 * @returns undefined where the address is of no glyphs @throws ApiError 503
 */
export async function glyphsAt(
  env: Env,
  address: string,
  path: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [, folder, list, range] = GLYPH_RANGE.exec(path) ?? [];
  if (folder === undefined || list === undefined || range === undefined) return undefined;
  const fonts = fontsOf(list);
  // A single font without this range was looked for already.
  if (fonts.length < 2 || fonts.length > MAX_FONTS) return new Uint8Array();
  const found = await Promise.all(
    fonts.map((font) =>
      readRange(env, new URL(`${folder}${encodeURIComponent(font)}/${range}.pbf`, address)),
    ),
  );
  const having = found.filter((bytes) => bytes !== undefined);
  if (having.length === 0) return new Uint8Array();
  try {
    return combineGlyphs(fonts.join(', '), range, having);
  } catch (error) {
    logFault('glyphs', error);
    throw artworkUnavailable();
  }
}

async function readRange(env: Env, address: URL): Promise<Uint8Array | undefined> {
  const file = await env.ASSETS?.fetch(new Request(address));
  if (file === undefined || file.status === 404) return undefined;
  if (file.status !== 200) {
    logFault('glyphs', new Error(`${address.pathname}: status ${file.status}`));
    throw artworkUnavailable();
  }
  return new Uint8Array(await file.arrayBuffer());
}
