// Static files: pages and artwork. URLs of sprites and glyphs contain a digest of their content, so
// the content of a URL never changes.

import { ApiError, methodNotAllowed } from '../runtime/errors.ts';
import { gzip } from '../runtime/gzip.ts';
import { sha256 } from '../runtime/sha256.ts';
import { acceptsGzip } from './accepted-codings.ts';
import type { AppContext } from './endpoint.ts';
import { matchesEtag } from './etag.ts';
import { glyphsAt } from './glyph-lists.ts';
import { packedFile } from './packed-files.ts';
import { pageHeaders } from './page-headers.ts';
import { preflight } from './preflight.ts';

const ARTWORK = /^\/(sprites|fonts|web-fonts|imagery)\//;
const CHART_PAGE = /^\/((index|playground)(\.html)?)?$/;
const PORTAL = /^\/portal(\.html)?$/;
const YEAR_SECONDS = 31_536_000;
/** The guides were one page at this address. */
const OLD_GUIDE = /^\/use(\.html)?$/;

const METHODS = ['GET', 'HEAD', 'OPTIONS'];
/**
 * Empty segments, encoded separators and dot segments, which a server or client could interpret as
 * a different path or, in a redirect, as a different host (RFC 3986, section 4.2; WHATWG URL,
 * section 4.4).
 */
const AMBIGUOUS = /\/\/|\\|%2f|%5c|%00|(^|\/)(\.|%2e){1,2}(\/|$)/i;

/**
 * The file at the path of the request; `undefined` if there is no such file.
 * @throws ApiError 405 for methods other than GET, HEAD and OPTIONS, 503 if the file cannot be read
 */
export async function staticFile(c: AppContext): Promise<Response | undefined> {
  const { method, path } = c.req;
  // There are no files below /api.
  if (c.env.ASSETS === undefined || path.startsWith('/api/')) return undefined;
  const name = decoded(path);
  if (name === undefined || AMBIGUOUS.test(new URL(c.req.raw.url).pathname)) return undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && OLD_GUIDE.test(path)) return c.redirect('/docs/guides', 301);
  const packed = isRead ? c.env.PACKED : undefined;
  // The assets know only the ETag of the uncompressed file.
  const tag = packed === undefined ? c.req.header('if-none-match') : undefined;
  const found = await c.env.ASSETS.fetch(
    new Request(c.req.raw.url, {
      method: packed !== undefined ? 'GET' : isRead ? method : 'HEAD',
      ...(isRead && tag !== undefined ? { headers: { 'if-none-match': tag } } : {}),
    }),
  );
  if (found.status >= 500) throw new ApiError('artwork_unavailable');
  const isStored = found.status !== 404;
  const glyphs = isStored ? undefined : await glyphsAt(c.env, c.req.raw.url, name);
  if (!isStored && glyphs === undefined) return undefined;
  if (method === 'OPTIONS') return preflight(METHODS);
  if (!isRead) throw methodNotAllowed(METHODS);
  if (glyphs !== undefined) return sendGlyphs(c.req.raw.headers, glyphs);
  const file = withHeaders(new Response(found.body, found), path);
  return packed === undefined || file.status !== 200 ? file : packedFile(packed, c.req.raw, file);
}

/** Each coding has a strong ETag of its own (RFC 9110, section 8.8.3.3). */
async function sendGlyphs(asked: Headers, glyphs: Uint8Array<ArrayBuffer>): Promise<Response> {
  const isPacked = acceptsGzip(asked.get('accept-encoding') ?? undefined);
  const etag = `"${await sha256(glyphs)}${isPacked ? '-gzip' : ''}"`;
  const headers = { etag, vary: 'Accept-Encoding' };
  if (matchesEtag(asked.get('if-none-match'), etag)) {
    return artwork(new Response(null, { status: 304, headers }));
  }
  if (!isPacked) return artwork(new Response(glyphs, { headers }));
  const packed = (await gzip(glyphs)) as BodyInit;
  const coded = { ...headers, 'content-encoding': 'gzip' };
  return artwork(new Response(packed, { headers: coded, encodeBody: 'manual' }));
}

function withHeaders(file: Response, path: string): Response {
  const isKept = file.status === 200 || file.status === 304;
  if (ARTWORK.test(path) && isKept) return artwork(file);
  return /^text\/html\b/.test(file.headers.get('content-type') ?? '') ? page(file, path) : file;
}

/** The root page and the playground show a chart; pages other than these and the portal are guides. */
function page(file: Response, path: string): Response {
  const kind = CHART_PAGE.test(path) ? 'chart' : PORTAL.test(path) ? 'portal' : 'guide';
  const headers = pageHeaders(kind);
  for (const [name, value] of Object.entries(headers)) file.headers.set(name, value);
  return file;
}

function artwork(file: Response): Response {
  file.headers.set('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
  if (!file.headers.has('content-type') && file.status !== 304) {
    file.headers.set('content-type', 'application/x-protobuf');
  }
  return file;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    // An invalid escape sequence matches no file.
    return undefined;
  }
}
