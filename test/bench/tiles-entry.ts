// The Worker of the tiles bench: the service and a minimal Hono application in one runtime. The bare
// route returns as many bytes as an average tile. A route with as many headers, and the service without
// its log lines, show the cost of the other parts.

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
/** As many headers as a tile has, of similar length. */
const HEADERS = {
  'content-type': 'application/x-protobuf',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`x-bench-header-${i}`, 'as long as most values']),
  ),
};
/** A header that disables the log line of a request. */
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
