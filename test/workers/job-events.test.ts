// The stream of the progress of a job.

import { Hono } from 'hono';
import { describe, expect, test, vi } from 'vitest';
import type { ChartJob } from '../../shared/contract/charts.ts';
import { followJob } from '../../workers/service/endpoints/job-events.ts';
import type { AppEnv } from '../../workers/service/http/endpoint.ts';
import type { Caller } from '../../workers/service/identity/auth.ts';

const at = (updatedAt: number, jobState: ChartJob['jobState'] = 'processing'): ChartJob =>
  ({ id: 'j', jobState, updatedAt, percentComplete: updatedAt }) as ChartJob;
const PACE = { everyMs: 1, most: 5 };

/** Requests the stream of a job with these states, one for each query; the last one stays. */
async function ask(states: readonly ChartJob[], headers: Record<string, string> = {}) {
  const found = { reads: 0 };
  const read = async () => {
    found.reads++;
    const state = states[Math.min(found.reads, states.length - 1)];
    if (state === undefined) throw new Error('The session has ended.');
    return state;
  };
  const app = new Hono<AppEnv>();
  app.get('/', (c) => {
    c.set('caller', { account: 'acme' } as Caller);
    return followJob(c, states[0]!, read, PACE);
  });
  return { response: await app.request('/', { headers }), found };
}
const eventsIn = (text: string): number[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => (JSON.parse(data!) as ChartJob).updatedAt);

describe('followJob', () => {
  test('sends the job, each change and the end, and then ends', async () => {
    const { response, found } = await ask([at(1), at(1), at(2), at(3, 'succeeded')]);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const text = await response.text();
    expect(eventsIn(text)).toEqual([1, 2, 3]);
    expect(text).toContain('event: job\ndata: {"id":"j","jobState":"succeeded"');
    expect(found.reads).toBe(3);
  });

  test('ends after a number of queries, so that the client connects again', async () => {
    const { response, found } = await ask([at(1)]);
    expect(eventsIn(await response.text())).toEqual([1]);
    expect(found.reads).toBe(PACE.most);
  });

  test('ends when a query fails', async () => {
    const { response } = await ask([at(1), undefined as never]);
    expect(eventsIn(await response.text())).toEqual([1]);
  });

  test('stops its queries when the client disconnects', async () => {
    const { response, found } = await ask([at(1)]);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    const { reads } = found;
    await new Promise((done) => setTimeout(done, 20 * PACE.everyMs));
    // One may have been under way.
    expect(found.reads).toBeLessThanOrEqual(Math.min(reads + 1, PACE.most - 1));
  });

  test('answers 204 to a client that has the end, so that it stops', async () => {
    const { response } = await ask([at(3, 'failed')], { 'last-event-id': '3' });
    expect(response.status).toBe(204);
  });

  test('forgets streams that the runtime dropped, and limits those of an account', async () => {
    const app = new Hono<AppEnv>();
    const never = () => new Promise<never>(() => undefined);
    app.get('/:account', (c) => {
      c.set('caller', { account: c.req.param('account') } as Caller);
      return followJob(c, at(1), never, PACE);
    });
    app.onError((error, c) => c.text((error as { code?: string }).code ?? '', 429));
    const open = async (account: string) => (await app.request(`/${account}`)).status;
    for (let i = 0; i < 20; i++) expect(await open('a')).toBe(200);
    expect([await open('a'), await open('b')]).toEqual([429, 200]);
    vi.useFakeTimers({ now: Date.now() + 91_000, toFake: ['Date'] });
    expect(await open('a')).toBe(200);
    vi.useRealTimers();
  });

  test('sends nothing to HEAD', async () => {
    const app = new Hono<AppEnv>();
    app.get('/', (c) => {
      c.set('caller', { account: 'acme' } as Caller);
      return followJob(c, at(1), () => Promise.reject(new Error('asked')), PACE);
    });
    const response = await app.request('/', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});
