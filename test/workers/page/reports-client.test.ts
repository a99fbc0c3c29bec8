// Creating a report from the chart page, if the service issues no user token for the device.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { openClient } from '../../../workers/web/chart/reports/reports-client.ts';

afterEach(() => vi.unstubAllGlobals());

const REPORT = {
  id: '1',
  reportType: 'hazard',
  position: { latitude: 1, longitude: 2 },
  properties: {},
} as const;

/** @returns the requests of a report that is sent, and its error message */
async function send(tokenResponse: () => Response | Promise<Response>) {
  const asked: string[] = [];
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async (path: string, { signal }: RequestInit) => {
    expect(signal).toBeInstanceOf(AbortSignal);
    asked.push(path);
    return path.endsWith('/user-tokens') ? tokenResponse() : Response.json(REPORT, { status: 201 });
  });
  const message = await openClient('0011223344556677'.repeat(2), 'me')
    .create(REPORT)
    .then(
      () => undefined,
      (error: Error) => error.message,
    );
  return { asked: asked.map((path) => path.replace('/api/v1/', '')), message };
}

describe('a report from the chart page', () => {
  it('is not sent without a user token that may be available later', async () => {
    const busy = () =>
      Response.json({ code: 'rate_limited' }, { status: 429, headers: { 'retry-after': '7' } });
    expect(await send(busy)).toEqual({
      asked: ['user-tokens'],
      message: 'Too many requests. Try again in 7 s.',
    });
    expect(await send(() => Response.json({}, { status: 503 }))).toMatchObject({
      asked: ['user-tokens'],
      message: expect.stringContaining('not available right now'),
    });
    expect(await send(() => Promise.reject(new TypeError('Failed to fetch')))).toEqual({
      asked: ['user-tokens'],
      message: 'The service cannot be reached.',
    });
  });

  it('is sent without a user token if the service issues none', async () => {
    expect(await send(() => Response.json({ code: 'not_found' }, { status: 404 }))).toEqual({
      asked: ['user-tokens', 'user-reports'],
      message: undefined,
    });
  });
});
