// Bodies without a Content-Length: small ones get one, and others continue as a stream.

import { expect, test } from 'vitest';
import { hasLongBody, LIGHT_BODY_BYTES } from '../../workers/service/http/light-body.ts';
import { readJsonBody } from '../../workers/service/http/read-json.ts';

/** A request whose body arrives in pieces. All are in one buffer: who keeps a piece gets wrong bytes. */
function requestOf(bytes: Uint8Array, pieceBytes: number, headers: Record<string, string> = {}) {
  const shared = new Uint8Array(4096);
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = bytes.subarray(at, at + pieceBytes);
        at += piece.length;
        shared.set(piece);
        if (piece.length === 0) controller.close();
        else controller.enqueue(shared.subarray(0, piece.length));
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method: 'POST', body, headers, duplex: 'half' };
  const req = {
    raw: new Request('https://charts.example/', init),
    header: (name: string) => req.raw.headers.get(name) ?? undefined,
  };
  return { req, get: () => ({ strictContentType: false }) } as never as Parameters<
    typeof hasLongBody
  >[0];
}

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 31 + 7) % 256);

test.each([
  ['one byte', 300, 1, false],
  ['the maximum size', LIGHT_BODY_BYTES, 4096, false],
  ['a byte more', LIGHT_BODY_BYTES + 1, 1000, true],
  ['several times the size', 3 * LIGHT_BODY_BYTES + 5, 4096, true],
])('a body of pieces with %s keeps its bytes', async (_, length, pieceBytes, isLong) => {
  const bytes = bytesOf(length);
  const c = requestOf(bytes, pieceBytes);
  expect(await hasLongBody(c)).toBe(isLong);
  expect(c.req.header('content-length')).toBe(isLong ? undefined : `${length}`);
  const read = new Uint8Array(await c.req.raw.arrayBuffer());
  expect(Buffer.from(read).equals(Buffer.from(bytes))).toBe(true);
});

test('a compressed body is refused before it is read', async () => {
  const c = requestOf(bytesOf(100), 10, { 'content-encoding': 'gzip' });
  await expect(hasLongBody(c)).rejects.toMatchObject({ status: 415 });
  expect(c.req.raw.bodyUsed).toBe(false);
});

test('JSON in pieces of one byte keeps its bytes', async () => {
  const text = JSON.stringify({ name: 'Ferry', list: [1, 2, 3] });
  const { object } = await readJsonBody(requestOf(Buffer.from(text), 1), 1000);
  expect(object).toEqual(JSON.parse(text));
});
