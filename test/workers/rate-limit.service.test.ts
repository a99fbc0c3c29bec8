// A client that runs away is answered 429, and by when it may come again; others are not.

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { enforceRateLimit } from '../../workers/http/rate-limit.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  const settings = { RATE_LIMIT_READS: '5', RATE_LIMIT_WRITES: '2' };
  service = await startService({ charts: inject('demoCharts'), settings });
});
afterAll(() => service?.stop());

const TILE = '/api/v2/tiles/enc-v2/0/0/0.mvt';
const VOTE = '/api/v1/user-reports/3f2504e0-4f89-41d3-9a0c-0305e82c3301/votes';

test('reads: so many a minute for each token, then 429 with Retry-After', async () => {
  const authorization = `Bearer ${await service.token()}`;
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++) {
    const answer = await service.get(TILE, { headers: { authorization } });
    statuses.push(answer.status);
    if (answer.status !== 429) continue;
    expect(answer.headers.get('retry-after')).toBe('60');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toMatchObject({ code: 'too_many_requests', status: 429 });
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  const other = await service.get(TILE, {
    headers: { authorization: `Bearer ${await service.token()}` },
  });
  expect(other.status).toBe(200);
  // Who was refused by name is not counted, and nobody without a token is.
  expect((await fetch(`${service.address}${TILE}`)).status).toBe(401);
});

test('writes have a number of their own, and routes count as writes', async () => {
  const token = await service.token();
  const headers = { authorization: `Bearer ${token}` };
  const statuses: number[] = [];
  for (const path of [VOTE, `/api/v1/routing/route?token=${token}`, VOTE]) {
    statuses.push((await service.get(path, { method: 'POST', headers, body: '{}' })).status);
  }
  expect(statuses).toEqual([400, 400, 429]);
  expect((await service.get(TILE, { headers })).status).toBe(200);
});

test('a counter that fails lets charts through, and nothing that writes', async () => {
  const broken = { limit: () => Promise.reject(new Error('away')) };
  const env = { LIMIT_READS: broken, LIMIT_WRITES: broken };
  const context = { env, get: () => undefined, req: { header: () => undefined } };
  const endpointOf = (method: string, scope: string) => ({
    method,
    access: { kind: 'token', scope },
  });
  await enforceRateLimit(context as never, endpointOf('get', 'tiles') as never);
  const refused = enforceRateLimit(context as never, endpointOf('post', 'reports:write') as never);
  await expect(refused).rejects.toMatchObject({ status: 503, code: 'limits_unavailable' });
});
