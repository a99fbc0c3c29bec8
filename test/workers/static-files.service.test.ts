// Static files from another origin, as maps request them: sprites, glyphs and pages, with the headers
// that a map adds to each request, and the CORS preflight.

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Service, startService } from '../support/service.ts';

const OTHER = { origin: 'https://customer.example' };

let service: Service;
let sprite: string;
let glyphs: string;
let css: string;
beforeAll(async () => {
  service = await startService({ charts: inject('demoCharts'), assetsDir: inject('assets') });
  const style = (await (await service.get('/api/v1/styles/base.json')).json()) as {
    sprite: string;
    glyphs: string;
    metadata: Record<string, string>;
  };
  sprite = style.sprite;
  css = style.metadata['ol:webfonts']!.replace('{font-family}', 'noto-sans')
    .replace('{fontweight}', '700')
    .replace('{-fontstyle}', '');
  glyphs = style.glyphs.replace('{fontstack}', 'Noto Sans Regular');
});
afterAll(() => service?.stop());

const filesOf = (): [string, number][] => [
  [`${sprite}.json`, 200],
  [`${sprite}.png`, 200],
  [`${sprite}@2x.json`, 200],
  [glyphs.replace('{range}', '0-255'), 200],
  [glyphs.replace('{range}', '64000-64255'), 200],
  [css, 200],
  [css.replace('.css', '.ttf'), 200],
  [`${service.address}/`, 200],
  [`${service.address}/playground.html`, 200],
  [`${service.address}/sprites/none.json`, 404],
];

test('static files may be read by pages of every origin, with any status', async () => {
  for (const [address, status] of filesOf()) {
    const answer = await fetch(address, { headers: OTHER, redirect: 'manual' });
    const allowed = answer.headers.get('access-control-allow-origin');
    expect([address, answer.status < 400 ? 200 : answer.status, allowed]).toEqual([
      address,
      status,
      '*',
    ]);
    await answer.arrayBuffer();
  }
});

test('static files allow the token of a map in a CORS preflight', async () => {
  const ask = {
    ...OTHER,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  };
  for (const [address, status] of filesOf()) {
    const answer = await fetch(address, { method: 'OPTIONS', headers: ask });
    if (status === 404) {
      expect([address, answer.status]).toEqual([address, 404]);
      continue;
    }
    expect([address, answer.status]).toEqual([address, 204]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-headers')).toMatch(/\bauthorization\b/i);
    expect(answer.headers.get('access-control-allow-methods')).toMatch(/\bGET\b/);
  }
});

test('showSatellite uses imagery of the service by default, with a tile for each promised zoom', async () => {
  const answer = await service.get('/api/v1/styles/base.json?showSatellite=true');
  const { sources } = (await answer.json()) as {
    sources: Record<string, { tiles: string[]; maxzoom: number; attribution: string }>;
  };
  const { tiles, maxzoom, attribution } = sources['satellite']!;
  expect([tiles.length, attribution]).toEqual([1, 'Natural Earth']);
  for (const [z, x, y] of [
    [0, 0, 0],
    [maxzoom, 0, 0],
    [maxzoom, 2 ** maxzoom - 1, 2 ** maxzoom - 1],
  ]) {
    const address = tiles[0]!.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`);
    const tile = await fetch(address, { headers: OTHER });
    expect([tile.status, tile.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(tile.headers.get('cache-control')).toMatch(/immutable/);
    // The first marker of a JPEG file (ITU-T T.81, B.1.1.3).
    expect([...new Uint8Array(await tile.arrayBuffer()).subarray(0, 2)]).toEqual([0xff, 0xd8]);
  }
});

test('static files are not sent again to a client that has them', async () => {
  const first = await fetch(`${sprite}.json`, { headers: OTHER });
  await first.arrayBuffer();
  const again = await fetch(`${sprite}.json`, {
    headers: { ...OTHER, 'if-none-match': first.headers.get('etag')! },
  });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect(again.headers.get('cache-control')).toMatch(/immutable/);
  expect(again.headers.get('access-control-allow-origin')).toBe('*');
});

test.each(['POST', 'PUT', 'DELETE'])('static files do not accept %s', async (method) => {
  const answer = await fetch(`${sprite}.json`, { method, headers: OTHER });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' });
});

test.each(['/%', '/%zz', '/%E0%A4%A', '/docs/%ff', '/fonts/%E0%A4%A/0-255.pbf'])(
  'a path with the invalid escape sequence of %s is 404',
  async (path) => {
    const answer = await fetch(service.address + path);
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }]);
  },
);

test('static files answer HEAD without a body', async () => {
  const whole = await fetch(`${sprite}.json`);
  const { byteLength } = await whole.arrayBuffer();
  const headOnly = await fetch(`${sprite}.json`, { method: 'HEAD' });
  expect([headOnly.status, await headOnly.text()]).toEqual([200, '']);
  expect(headOnly.headers.get('etag')).toBe(whole.headers.get('etag'));
  expect(byteLength).toBeGreaterThan(1000);
});

test.each([
  ['/', "script-src 'self'"],
  ['/index.html', "script-src 'self'"],
  ['/playground.html', "script-src 'self'"],
  ['/docs/guides', "script-src 'self'"],
  ['/docs/guides/maplibre', "style-src 'self'"],
  ['/docs', "script-src 'self'"],
  ['/portal', "script-src 'self'"],
])('the page at %s runs only scripts of this service, and cannot be framed', async (path, rule) => {
  const answer = await fetch(service.address + path);
  const { headers } = answer;
  const policy = headers.get('content-security-policy')!.split('; ');
  expect(policy).toEqual(expect.arrayContaining([rule, "frame-ancestors 'none'"]));
  expect(policy.find((one) => one.startsWith('script-src')) ?? '').not.toMatch(/unsafe|http|\*/);
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  // Tokens that are restricted to the origin of the service work on its pages.
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(await answer.text()).toContain('<meta name="referrer" content="same-origin"');
});
