// The requests of one connection, one after the other (RFC 9112, section 9.3.2): writes may depend on
// one another. What follows a request and is none waits for its turn too: a refusal that overtook an
// answer would be taken for it, though the request was carried out.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, badRequest, requestTimeout } from '../../service/runtime/errors.ts';
import { isLingering } from './lingering-close.ts';
import { refuseBytes } from './write-refusal.ts';

export type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

interface Turn {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly begins: Promise<void>;
  readonly ends: Promise<void>;
}

/** The last request of each connection. */
const latest = new WeakMap<Socket, Turn>();

export function inTurn(handle: Handle): Handle {
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const begins = latest.get(socket)?.ends ?? Promise.resolve();
    const ends = new Promise<void>((done) => outgoing.once('close', done));
    latest.set(socket, { incoming, outgoing, begins, ends });
    void begins.then(() => {
      // A connection that is being closed takes no further requests: they would get no answer.
      if (socket.writable) handle(incoming, outgoing);
    });
  };
}

const REFUSALS: Readonly<Record<string, () => ApiError>> = {
  HPE_HEADER_OVERFLOW: () =>
    new ApiError(431, 'headers_too_large', 'The headers and the address are larger than 64 KiB.'),
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
};
const noRequest = () => badRequest('bad_request', 'This is no request as HTTP/1.1 has them.');

/** Refuse what cannot be read as a request, or as the rest of one, and end its connection. */
export function refuseInTurn(error: NodeJS.ErrnoException, socket: Socket): void {
  const turn = latest.get(socket);
  const isRest = turn !== undefined && !turn.incoming.complete;
  const before = isRest ? turn.begins : (turn?.ends ?? Promise.resolve());
  void before.then(() => {
    if (isLingering(socket)) return;
    if (!socket.writable || (isRest && turn.outgoing.headersSent)) {
      // An answer that is whole may still be read; one that is not must not look whole.
      if (isRest && turn.outgoing.writableFinished) socket.destroySoon();
      else socket.destroy();
      return;
    }
    refuseBytes(socket, (REFUSALS[error.code ?? ''] ?? noRequest)());
  });
}

/** A client has closed its side: a body of which more was to come is none. */
export function endInTurn(socket: Socket): void {
  if (latest.get(socket)?.incoming.complete === false) {
    refuseInTurn(new Error('The body broke off.'), socket);
  }
}
