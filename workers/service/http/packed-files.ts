// Static files in the content coding that the client prefers, from copies that are compressed at
// build time. Used only when self-hosted: Cloudflare compresses responses itself.

import { logFault } from '../runtime/log.ts';
import { sha256 } from '../runtime/sha256.ts';
import { acceptedCodings } from './accepted-codings.ts';
import { matchesEtag } from './etag.ts';

/** File name extensions of the copies. */
const ENDINGS = { br: 'br', gzip: 'gz' } as const;
const CODINGS = ['br', 'gzip'] as const;

/**
 * The file, compressed if the client accepts it, or 304. Each coding has a strong ETag of its own
 * (RFC 9110, section 8.8.3.3). Ranges are not served.
 * @param packed folder of the copies, named by the SHA-256 of the file
 * @param file status 200, plain bytes
 */
export async function packedFile(
  packed: Fetcher,
  request: Request,
  file: Response,
): Promise<Response> {
  const plain = await file.arrayBuffer();
  const digest = await sha256(plain);
  const headers = new Headers(file.headers);
  const accepted = acceptedCodings(request.headers.get('accept-encoding') ?? undefined, CODINGS);
  const read = (coding: (typeof CODINGS)[number], method = 'GET') =>
    packed.fetch(`http://packed/${digest}.${ENDINGS[coding]}`, { method }).catch(unreadable);
  let bytes = plain;
  let etag = `"${digest}"`;
  const coding = accepted[0];
  const copy = await read(coding ?? CODINGS[0], coding === undefined ? 'HEAD' : 'GET');
  if (copy.ok) headers.append('vary', 'Accept-Encoding');
  if (copy.ok && coding !== undefined) {
    bytes = await copy.arrayBuffer();
    etag = `"${digest}-${coding}"`;
    headers.set('content-encoding', coding);
  } else await copy.body?.cancel();
  headers.set('etag', etag);
  headers.set('content-length', `${bytes.byteLength}`);
  if (matchesEtag(request.headers.get('if-none-match'), etag)) {
    for (const name of ['content-encoding', 'content-length', 'content-type']) headers.delete(name);
    return new Response(null, { status: 304, headers });
  }
  return new Response(bytes, { headers, encodeBody: 'manual' });
}

/** The disk service throws if it cannot read a copy. The file itself is sent then. */
function unreadable(fault: unknown): Response {
  logFault('static files', fault);
  return new Response(null, { status: 503 });
}
