// Responses to requests whose body the service does not read.

import { expect, test } from 'vitest';
import { respondAfterDrain } from '../../workers/service/http/drain-body.ts';

const request = () => new Request('https://leadline.test/', { method: 'POST', body: 'x' });

test.each([
  ['a file', { 'content-length': '100000000' }],
  ['events', { 'content-type': 'text/event-stream' }],
  ['a table', { 'content-type': 'text/csv; charset=utf-8' }],
])('%s is not held in memory', async (_, headers) => {
  let pieces = 0;
  const body = new ReadableStream({
    pull(controller) {
      pieces++;
      controller.enqueue(new Uint8Array(1000));
    },
  });
  const { body: sent } = await respondAfterDrain(request(), new Response(body, { headers }));
  expect(pieces).toBeLessThan(5);
  await sent!.cancel();
});

test('a short response gets its length', async () => {
  const response = await respondAfterDrain(request(), new Response('short'));
  expect([response.headers.get('content-length'), await response.text()]).toEqual(['5', 'short']);
});
