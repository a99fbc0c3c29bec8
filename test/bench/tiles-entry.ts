// The Worker of the tiles bench: the service itself, and beside it the least that Hono can do, in
// one runtime. The bare route answers as many bytes as an average tile has; what the service does
// besides is told by the same with as many headers, and by the service without its lines in the log.

import { Hono } from 'hono';
import { createApp } from '../../workers/service/app.ts';

const bare = new Hono<{ Bindings: { BARE_BYTES: string } }>();
let body: Uint8Array<ArrayBuffer> | undefined;
bare.get('/bare/:z/:x/:y', (c) => {
  body ??= new Uint8Array(Number(c.env.BARE_BYTES)).fill(7);
  return c.body(body, 200, { 'content-type': 'application/x-protobuf' });
});
bare.get('/headers/:z/:x/:y', (c) => {
  body ??= new Uint8Array(Number(c.env.BARE_BYTES)).fill(7);
  return c.body(body, 200, HEADERS);
});
const service = createApp();
/** As many, and about as long, as a tile is answered with. */
const HEADERS = {
  'content-type': 'application/x-protobuf',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`x-bench-header-${i}`, 'as long as most values']),
  ),
};
/** Asks that nothing be logged of a request. */
const QUIET = 'x-bench-quiet';
const { log } = console;
const silent = () => undefined;

// biome-ignore lint/style/noDefaultExport: what the runtime calls
export default {
  fetch(request: Request, env: never, context: never): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    if (/^\/(bare|headers)\//.test(pathname)) return bare.fetch(request, env, context);
    console.log = request.headers.has(QUIET) ? silent : log;
    return service.fetch(request, env, context);
  },
};
