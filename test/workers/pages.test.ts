// Pages that the Worker writes itself: what browsers may do with them, and where refusals point.

import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../workers/service/app.ts';
import { REFUSALS } from '../../workers/service/runtime/refusals.ts';

const app = createApp();
const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
const get = async (path: string): Promise<Response> =>
  app.fetch(new Request(`https://leadline.test${path}`), {} as never, context as never);

beforeAll(() => {
  const quiet = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  return () => {
    quiet.mockRestore();
    silent.mockRestore();
  };
});

describe('the pages of the Worker', () => {
  test.each([
    ['/docs', ["script-src 'self'"]],
    ['/status', []],
  ])('%s runs only scripts of the service, and is shown in no frame', async (path, scripts) => {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy')!.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ]),
    );
    expect(policy.filter((part) => part.startsWith('script-src'))).toEqual(scripts);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  test('every error code has a section on /docs, to which the type of the problem links', async () => {
    const page = await (await get('/docs')).text();
    for (const code of Object.keys(REFUSALS)) expect(page).toContain(`id="${code}"`);
    const refused = (await (await get('/api/v1/datasets')).json()) as Record<string, string>;
    expect(refused['type']).toBe('/docs#not_found');
    const { pathname, hash } = new URL(refused['type']!, 'https://leadline.test');
    expect(await (await get(pathname)).text()).toContain(`id="${hash.slice(1)}"`);
  });

  test('a path with signs of HTML is written into no page', async () => {
    const page = await (await get('/docs?<script>alert(1)</script>')).text();
    expect(page).not.toContain('alert(1)');
  });
});
