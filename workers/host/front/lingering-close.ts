// Closes connections whose clients may still be sending. A socket that is closed with unread bytes
// sends a reset, which discards the response that the client has not read yet. So the server first
// closes its own side, and then reads until the client closes the other (RFC 9112, section 9.6).

import type { Socket } from 'node:net';

/** Time after the last byte of the response was sent. */
const LIMIT_MS = 30_000;
const SILENCE_MS = 5000;

const lingering = new WeakSet<Socket>();

/** Whether the connection is closing. Data that arrives on it is ignored. */
export const isLingering = (socket: Socket): boolean => lingering.has(socket);

/** Replace `destroySoon`, with which Node ends a connection, by a lingering close. */
export function lingerOnClose(socket: Socket): void {
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (lingering.has(socket)) return;
    lingering.add(socket);
    // The client has already closed its side.
    if (socket.readableEnded || socket.destroyed) return destroySoon();
    socket.once('end', destroySoon);
    socket.once('finish', () => limitTime(socket));
    // No listener for 'data': Node's parser reads the socket and discards what is not a request.
    socket.resume();
    socket.end();
  };
}

function limitTime(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LIMIT_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
}
