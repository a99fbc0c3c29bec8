// Serves a page on another origin, like a customer's page, so that its requests to the service need CORS.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { listen } from './listen.ts';

export interface SecondOrigin {
  readonly origin: string;
  stop(): Promise<void>;
}

/** A file by its path, without a slash before it: its type and what is in it. */
export type Files = Readonly<Record<string, readonly [type: string, body: string | Uint8Array]>>;

/** Serves files on a free port; `''` is the page. */
export async function serveFiles(files: Files): Promise<SecondOrigin> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page.invalid');
    const file = files[pathname.slice(1)];
    if (file === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': file[0] }).end(file[1]);
  });
  const port = await listen(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const MAPLIBRE = resolve(import.meta.dirname, '../../node_modules/maplibre-gl/dist');

/** Files that MapLibre loads: its worker and shared code. */
export const mapLibreFiles = (...more: readonly string[]): Files =>
  Object.fromEntries(
    ['maplibre-gl-worker.mjs', 'maplibre-gl-shared.mjs', ...more].map((name) => [
      name,
      ['text/javascript', readFileSync(resolve(MAPLIBRE, name))],
    ]),
  );
