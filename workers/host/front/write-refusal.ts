// Writes the error responses of the HTTP front, in the same format as those of the service, and breaks off
// responses that cannot be completed.

import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { EXPOSED } from '../../service/http/response-headers.ts';
import { type ApiError, problemParts } from '../../service/runtime/errors.ts';
import { logRequest } from '../../service/runtime/log.ts';

/** Status, headers and body of an error. Also logs it in the format of the Worker. */
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
    'access-control-expose-headers': EXPOSED,
    'x-content-type-options': 'nosniff',
  };
  return { status, headers: all, text };
}

export function refuse(outgoing: ServerResponse, error: ApiError): void {
  const { method = '', url = '' } = outgoing.req;
  const { status, headers, text } = partsOf(error, method, url.replace(/[?#].*$/s, ''));
  outgoing.writeHead(status, headers).end(text);
}

/**
 * Ends a response before its end. For HTTP/1.0, the end of the connection can be the end of the body,
 * so only a reset shows that the rest is missing.
 */
export function breakOff(outgoing: ServerResponse): void {
  if (outgoing.req.httpVersion === '1.0') outgoing.socket?.resetAndDestroy();
  outgoing.destroy();
}

/** Answer bytes that are not a valid request, and close the connection. */
export function refuseBytes(socket: Socket, error: ApiError): void {
  const { status, headers, text } = partsOf(error, '', '');
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  socket.destroySoon();
}
