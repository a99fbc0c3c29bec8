// One JSON line per request, and one per fault; the only console. Never a token: paths are logged
// without their query, and what looks like a token in a path is replaced. Never a statement's values.

import { AsyncLocalStorage } from 'node:async_hooks';
import { loggable } from './loggable.ts';

/** The id of the request that something is done for, wherever it is done. */
export const requestIds = new AsyncLocalStorage<string>();

export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly tokenId: string | undefined;
  readonly from: string;
  readonly bucketReads: number;
}

export function logRequest(line: RequestLine): void {
  const path = withoutTokens(line.path.slice(0, MAX_PATH_CHARACTERS));
  console.log(JSON.stringify({ time: now(), kind: 'request', ...line, path }));
}

const MAX_PATH_CHARACTERS = 256;

const now = () => new Date().toISOString();

/** `…/0.mvt&token=…` is the commonest slip; and every token begins as its header's JSON does. */
function withoutTokens(path: string): string {
  return path.replace(/(token(?:=|%3D)|eyJ).*$/i, '$1…');
}

/** Something of ours or of a dependency failed; the client learns only the status. */
export function logFault(where: string, error: unknown, requestId = requestIds.getStore()): void {
  const { message, stack } = loggable(error);
  console.error(JSON.stringify({ time: now(), kind: 'fault', where, message, stack, requestId }));
}
