// Refusals of what is before the runtime, in the words of the service, to a client whose request was
// read or to one whose bytes were none.

import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiError, problemParts } from '../../service/runtime/errors.ts';
import { logRequest } from '../../service/runtime/log.ts';

/** Logged as the Worker logs what it answers: to whoever reads the log the two are one service. */
function partsOf(error: ApiError, method: string, path: string) {
  const requestId = randomUUID();
  const { status, headers, text } = problemParts(error, requestId);
  logRequest({
    requestId,
    method,
    path,
    status,
    ms: 0,
    tokenId: undefined,
    from: 'front',
    bucketReads: 0,
  });
  const all = {
    ...headers,
    'content-length': `${Buffer.byteLength(text)}`,
    'x-request-id': requestId,
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  };
  return { status, headers: all, text };
}

export function refuse(outgoing: ServerResponse, error: ApiError): void {
  const { method = '', url = '' } = outgoing.req;
  const { status, headers, text } = partsOf(error, method, url.replace(/[?#].*$/s, ''));
  outgoing.writeHead(status, headers).end(text);
}

/** The same where there is no request to answer; then the connection ends. */
export function refuseBytes(socket: Socket, error: ApiError): void {
  const { status, headers, text } = partsOf(error, '', '');
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  socket.destroySoon();
}
