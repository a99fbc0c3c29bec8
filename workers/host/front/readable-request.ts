// Rejects requests that the runtime cannot handle, as the platform's edge does. The runtime answers 500
// to an invalid Host, a target that is not a path, and transfer codings other than `chunked`; and 501 to
// unknown methods.

import type { IncomingMessage } from 'node:http';

interface ReadableRequest {
  readonly method: string;
  /** Begins with a slash. */
  readonly path: string;
  readonly host: string;
}

/** The absolute form of a target, which servers must accept (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/i;
/** A subset of RFC 3986, section 3.2.2: a name or an IP address, and an optional port. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/** The methods that the service supports. */
const KNOWN = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Stands for every other method: the runtime knows it, and the service rejects it with 405. */
const UNSUPPORTED = 'PURGE';

/** @returns method, path and host of the request, or `fault`, a sentence for the client */
export function readRequest({
  method: given = 'GET',
  url = '',
  rawHeaders,
  headers,
  httpVersion,
}: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'headers' | 'httpVersion'>):
  | ReadableRequest
  | { readonly fault: string } {
  const coding = headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked';
  if (coding !== 'chunked') return { fault: 'The only supported transfer coding is chunked.' };
  const hosts = rawHeaders.filter((_, i) => rawHeaders[i - 1]?.toLowerCase() === 'host' && i % 2);
  // HTTP/1.0 does not require Host (RFC 9112, section 3.2); health checks of proxies omit it.
  if (hosts.length === 0 && httpVersion === '1.0') hosts.push('localhost');
  const [, authority, rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  const path = authority === undefined || rest.startsWith('/') ? rest || url : `/${rest}`;
  if (!path.startsWith('/'))
    return { fault: 'The request target must be a path or an http(s) URL.' };
  const host = authority ?? hosts[0] ?? '';
  const isHost = HOST.test(host) && URL.canParse(`http://${host}`);
  const method = KNOWN.has(given) ? given : UNSUPPORTED;
  return hosts.length === 1 && isHost
    ? { method, path, host }
    : { fault: 'The request must have exactly one Host header with a valid host.' };
}
