// Handles the pipelined requests of a connection one after the other (RFC 9112, section 9.3.2), because
// writes may depend on one another. Malformed data after a request also waits for its turn; otherwise the
// client would take the error for the response to the request before it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../service/runtime/errors.ts';
import type { RefusalCode } from '../../service/runtime/refusals.ts';
import { isLingering } from './lingering-close.ts';
import { breakOff, refuseBytes } from './write-refusal.ts';

export type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

interface Turn {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly begins: Promise<void>;
  readonly ends: Promise<void>;
}

/** Requests of a connection that may wait. A client repeats the rest on a new one (RFC 9112, 9.3.2). */
const MAX_WAITING = 256;

/** The number of requests of each connection that have not begun. */
const waiting = new WeakMap<Socket, number>();

/** The last request of each connection. */
const latest = new WeakMap<Socket, Turn>();

export function inTurn(handle: Handle): Handle {
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    // Each needs memory, even if the client reads no response.
    if (count > MAX_WAITING) return void socket.destroy();
    const begins = latest.get(socket)?.ends ?? Promise.resolve();
    const ends = new Promise<void>((done) => outgoing.once('close', done));
    latest.set(socket, { incoming, outgoing, begins, ends });
    void begins.then(() => {
      waiting.set(socket, waiting.get(socket)! - 1);
      // A closing connection cannot carry another response.
      if (socket.writable) handle(incoming, outgoing);
    });
  };
}

const REFUSALS: Readonly<Record<string, RefusalCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Reject a malformed request or body and close the connection. */
export function refuseInTurn(error: NodeJS.ErrnoException, socket: Socket): void {
  const turn = latest.get(socket);
  const isBody = turn !== undefined && !turn.incoming.complete;
  const before = isBody ? turn.begins : (turn?.ends ?? Promise.resolve());
  void before.then(() => {
    if (isLingering(socket)) return;
    if (!socket.writable || (isBody && turn.outgoing.headersSent)) {
      // Let the client read a complete response; a truncated one must not look complete.
      if (isBody && turn.outgoing.writableFinished) socket.destroySoon();
      else {
        if (isBody) breakOff(turn.outgoing);
        socket.destroy();
      }
      return;
    }
    const { code = '', reason = '' } = error as { code?: string; reason?: string };
    const message =
      // The same code has addresses that begin with neither a slash nor a protocol.
      code === 'HPE_INVALID_URL' && reason.startsWith('Invalid char in ')
        ? 'The URL has characters that must be percent-encoded.'
        : undefined;
    refuseBytes(socket, new ApiError(REFUSALS[code] ?? 'bad_request', message));
  });
}

/** Handle a client that closed its side. An incomplete body is an error. */
export function endInTurn(socket: Socket): void {
  if (latest.get(socket)?.incoming.complete === false) {
    refuseInTurn(new Error('The body is incomplete.'), socket);
  }
}
