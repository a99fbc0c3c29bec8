// Pages and artwork: static files beside the API. Sprites and glyphs never change under their
// address, as it holds the digest of their content.

import type { AppContext } from './endpoint.ts';
import { glyphsAt } from './glyph-lists.ts';

const ARTWORK = /^\/(sprites|fonts)\//;
const YEAR_SECONDS = 31_536_000;

/** The file at the request's address; undefined where there is none. */
export async function staticFile(c: AppContext): Promise<Response | undefined> {
  const { method, path } = c.req;
  const isRead = method === 'GET' || method === 'HEAD';
  // Everything below /api is ours alone.
  if (!isRead || c.env.ASSETS === undefined || path.startsWith('/api/')) return undefined;
  const found = await c.env.ASSETS.fetch(new Request(c.req.raw.url, { method }));
  const isArtwork = ARTWORK.test(path);
  if (found.status === 404) {
    const glyphs = await glyphsAt(c.env, c.req.raw.url, decoded(path));
    return glyphs === undefined ? undefined : artwork(new Response(glyphs));
  }
  const file = new Response(found.body, found);
  return isArtwork && found.status === 200 ? artwork(file) : file;
}

function artwork(file: Response): Response {
  file.headers.set('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
  if (!file.headers.has('content-type')) {
    file.headers.set('content-type', 'application/x-protobuf');
  }
  return file;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A broken escape is the name of no file.
    return '';
  }
}
