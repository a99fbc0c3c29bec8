// Serves pages and artwork from a folder like the platform's static assets: types by extension,
// `index.html` for the root, pages with or without their extension. It never redirects.

import { logFault } from '../runtime/log.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  webmanifest: 'application/manifest+json',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  pbf: 'application/x-protobuf',
  wasm: 'application/wasm',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  ico: 'image/vnd.microsoft.icon',
  txt: 'text/plain; charset=utf-8',
};

/** @param disk the folder that `npm run build` created */
export function diskAssets(disk: Fetcher): Fetcher {
  const fetch = async (given: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(given as RequestInfo, init);
    const { pathname } = new URL(request.url);
    const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
    for (const path of candidates(pathname).filter(canBeFile)) {
      const found = await disk.fetch(`http://assets${path}`, { method }).catch(unreadable);
      // The disk service returns a listing for a folder; clients must not see it.
      const isFile = found.ok && found.headers.has('content-length');
      if (!isFile) {
        await found.body?.cancel();
        if (!found.ok && found.status !== 404) return new Response(null, { status: 503 });
        continue;
      }
      const headers = new Headers({
        'content-type': TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
        'cache-control': 'public, max-age=0, must-revalidate',
        'content-length': found.headers.get('content-length') ?? '0',
      });
      return new Response(found.body, { headers });
    }
    return new Response(null, { status: 404 });
  };
  return { fetch } as unknown as Fetcher;
}

/** The disk service fails if it cannot read a file that exists. */
const unreadable = (fault: unknown): Response => {
  logFault('static files', fault);
  return new Response(null, { status: 503 });
};

/** Systems limit the length of file names; the disk service fails beyond it (POSIX, limits.h). */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 1024;

/** An escaped name is never shorter than its bytes. */
const canBeFile = (path: string): boolean =>
  path.length <= MAX_PATH_BYTES && path.split('/').every((name) => name.length <= MAX_NAME_BYTES);

const candidates = (pathname: string): readonly string[] => {
  if (pathname.endsWith('/')) return [`${pathname}index.html`];
  const last = pathname.split('/').at(-1) ?? '';
  return last.includes('.') ? [pathname] : [pathname, `${pathname}.html`];
};
