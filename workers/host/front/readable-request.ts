// Requests that clients may write and the runtime cannot read: it fails (500) at a Host that names no
// host, at a target that is no path, at transfer codings other than chunks, and (501) at methods that it
// has not heard of. The platform's edge lets none of them through, and neither does what is before the
// runtime on this machine.

import type { IncomingMessage } from 'node:http';

/** The path begins with a slash. */
interface ReadableRequest {
  readonly method: string;
  readonly path: string;
  readonly host: string;
}

/** An address of the web in whole, which servers must take too (RFC 9112, section 3.2.2). */
const WHOLE_ADDRESS = /^https?:\/\/([^/?#]*)(.*)$/i;
/** Of RFC 3986, section 3.2.2, what names hosts of this world: a name or an address, and a port. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/** Those that addresses of the service take. */
const KNOWN = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Any other that the runtime has heard of: refused as what was asked would be. */
const TAKEN_NOWHERE = 'PURGE';

/** What is asked, and of which host; or what of the request cannot be read, in words. */
export function readRequest({
  method: given = 'GET',
  url = '',
  rawHeaders,
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'headers'>):
  | ReadableRequest
  | { readonly fault: string } {
  const coding = headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked';
  if (coding !== 'chunked') return { fault: 'The only transfer coding is chunked.' };
  const hosts = rawHeaders.filter((_, i) => rawHeaders[i - 1]?.toLowerCase() === 'host' && i % 2);
  const [, authority, rest = ''] = WHOLE_ADDRESS.exec(url) ?? [];
  const path = authority === undefined || rest.startsWith('/') ? rest || url : `/${rest}`;
  if (!path.startsWith('/')) return { fault: 'The target must be a path.' };
  const host = authority ?? hosts[0] ?? '';
  const isHost = HOST.test(host) && URL.canParse(`http://${host}`);
  const method = KNOWN.has(given) ? given : TAKEN_NOWHERE;
  return hosts.length === 1 && isHost
    ? { method, path, host }
    : { fault: 'Host must name one host.' };
}
