// The Worker of the tiles bench: the service itself, and beside it the least that Hono can do, in
// one runtime. The bare route answers as many bytes as an average tile has.

import { Hono } from 'hono';
import { createApp } from '../../workers/app.ts';

const bare = new Hono<{ Bindings: { BARE_BYTES: string } }>();
let body: Uint8Array<ArrayBuffer> | undefined;
bare.get('/bare/:z/:x/:y', (c) => {
  body ??= new Uint8Array(Number(c.env.BARE_BYTES)).fill(7);
  return c.body(body, 200, { 'content-type': 'application/x-protobuf' });
});
const service = createApp();

// biome-ignore lint/style/noDefaultExport: what the runtime calls
export default {
  fetch(request: Request, env: never, context: never): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    return pathname.startsWith('/bare/')
      ? bare.fetch(request, env, context)
      : service.fetch(request, env, context);
  },
};
