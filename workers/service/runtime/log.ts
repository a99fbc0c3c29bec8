// Writes one JSON line per request and per failure. All console output goes through this file.
// Callers pass paths without the query. Tokens in a path, and values of SQL statements, are removed.

import { AsyncLocalStorage } from 'node:async_hooks';
import { loggable } from './loggable.ts';

/** The id of the current request. */
export const requestIds = new AsyncLocalStorage<string>();

export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly tokenId: string | undefined;
  /** Source of the response: memory, edge, bucket or client; may be empty. */
  readonly from: string;
  /** Number of reads from object storage. */
  readonly bucketReads: number;
}

export function logRequest(line: RequestLine): void {
  const path = withoutTokens(line.path.slice(0, MAX_PATH_CHARACTERS));
  console.log(JSON.stringify({ time: now(), kind: 'request', ...line, path }));
}

const MAX_PATH_CHARACTERS = 256;

const now = () => new Date().toISOString();

/**
 * Removes tokens. A path contains a token if a client writes `&token=…` instead of `?token=…`. A JWT
 * begins with `eyJ`, the base64 form of `{"`. An opaque token has 32 hexadecimal digits.
 */
function withoutTokens(path: string): string {
  return path
    .replace(/(token(?:=|%3D)|eyJ).*$/i, '$1…')
    .replace(/(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/gi, '…');
}

/** Logs a failure of the service or of a dependency. Details are never sent to the client. */
export function logFault(where: string, error: unknown, requestId = requestIds.getStore()): void {
  const { message, stack } = loggable(error);
  console.error(JSON.stringify({ time: now(), kind: 'fault', where, message, stack, requestId }));
}
