// GET /healthz and /readyz: whether the Worker runs, and whether it can serve.

import * as z from 'zod';
import { currentManifest } from '../charts/catalog.ts';
import type { AppContext, Endpoint } from '../http/endpoint.ts';
import { areTokenKeysSound } from '../http/token.ts';

const healthSchema = z.object({ status: z.literal('ok') });

const readinessSchema = z.object({
  status: z.enum(['ready', 'not-ready']),
  build: z.string().nullable(),
  checks: z.object({ charts: z.boolean(), tokens: z.boolean(), settings: z.boolean() }),
  /** Settings that could not be read and fell back to their defaults. */
  faultySettings: z.array(z.string()),
});

export const health: Endpoint = {
  method: 'get',
  path: '/healthz',
  id: 'getHealth',
  summary: 'Whether the service runs at all.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: {
    200: { description: 'It runs', contentType: 'application/json', schema: healthSchema },
  },
  handle: (c) => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }),
};

export const readiness: Endpoint = {
  method: 'get',
  path: '/readyz',
  id: 'getReadiness',
  summary: 'Whether charts can be served, tokens verified and settings read.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: {
    200: { description: 'Ready', contentType: 'application/json', schema: readinessSchema },
    503: { description: 'Not ready', contentType: 'application/json', schema: readinessSchema },
  },
  handle: async (c) => {
    const build = await buildOf(c);
    const faultySettings = c.get('settings').faults;
    const checks = {
      charts: build !== null,
      tokens: await areTokenKeysSound(c.env),
      settings: faultySettings.length === 0,
    };
    const isReady = Object.values(checks).every(Boolean);
    const body = { status: isReady ? 'ready' : 'not-ready', build, checks, faultySettings };
    const headers = { 'cache-control': 'no-store', ...(isReady ? {} : { 'retry-after': '2' }) };
    return c.json(body, isReady ? 200 : 503, headers);
  },
};

async function buildOf(c: AppContext): Promise<string | null> {
  try {
    return (await currentManifest(c.env, Date.now(), c.get('cost'))).buildId;
  } catch {
    return null;
  }
}
