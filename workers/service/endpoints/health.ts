// GET /healthz and /readyz

import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { currentManifest } from '../charts/catalog.ts';
import { crowdState } from '../charts/crowd-catalog.ts';
import { readDatabase } from '../db/ask-database.ts';
import { type AppContext, type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { areTokenKeysSound } from '../identity/token.ts';
import { type Env, hasDatabase } from '../runtime/env.ts';
import { isWithinPeriod } from '../runtime/periods.ts';

const healthSchema = z
  .object({ status: z.literal('ok').describe('Always `ok`') })
  .meta({ id: 'Health', description: 'The service is running' });

const readinessSchema = z
  .object({
    status: z.enum(['ready', 'not-ready']).describe('`ready` if all checks are true'),
    build: z.string().nullable().describe('Id of the charts; null if they cannot be read'),
    checks: z
      .object({
        charts: z.boolean().describe('Whether the charts can be read'),
        tokens: z.boolean().describe('Whether the keys of the tokens are valid'),
        settings: z.boolean().describe('Whether all settings are valid'),
      })
      .describe('What the service needs to handle requests'),
    database: z
      .enum(['up', 'down', 'none'])
      .describe(
        'If it is down, endpoints that need it return 503; charts do not need it. `none` for a deployment without a database',
      ),
    crowd: z
      .enum(['up', 'stale', 'down', 'none'])
      .describe(
        'Crowdsourced depths. `down`: their manifest is damaged or unreadable, their endpoints return 503, and charts are shown without them; `stale`: the same since the last successful read, which is still used; `none` if nothing is published',
      ),
    faultySettings: z
      .array(z.string())
      .describe('Names of invalid settings, whose defaults are used'),
  })
  .meta({ id: 'Readiness', description: 'State of the service' });

export const health: Endpoint = {
  method: 'get',
  path: '/healthz',
  id: 'getHealth',
  summary: 'Reports that the service is running.',
  description: 'For load balancers. It does not check storage or the database.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: {
    200: jsonAnswer('The service is running', healthSchema),
  },
  handle: (c) => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }),
};

export const readiness: Endpoint = {
  method: 'get',
  path: '/readyz',
  id: 'getReadiness',
  summary: 'Reports whether the service can handle requests.',
  description:
    'It checks the charts, the token keys and the settings, and returns 503 if one of them fails. The states of the database and of the crowdsourced depths do not affect the status.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: {
    200: jsonAnswer('Ready', readinessSchema),
    503: jsonAnswer('Not ready', readinessSchema, {
      status: 'not-ready',
      build: null,
      checks: { charts: false, tokens: true, settings: true },
      database: 'up',
      crowd: 'none',
      faultySettings: [],
    }),
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
    const status = isReady ? 'ready' : 'not-ready';
    const database = await databaseState(c.env);
    const { state: crowd } = await crowdState(c.env, Date.now(), c.get('cost'));
    const body = { status, build, checks, database, crowd, faultySettings };
    const headers = { 'cache-control': 'no-store', ...(isReady ? {} : { 'retry-after': '2' }) };
    return c.json(body, isReady ? 200 : 503, headers);
  },
};

/** The endpoint is public, so the state of the database is cached. */
const STATE_MS = 5000;
let state: { readonly of: Env; readonly found: 'up' | 'down'; readonly at: number } | undefined;

/** State of the database, at most five seconds old; `none` if the deployment has no database. */
export async function databaseState(env: Env): Promise<'up' | 'down' | 'none'> {
  if (!hasDatabase(env)) return 'none';
  if (state?.of === env && isWithinPeriod(Date.now(), state.at, STATE_MS)) return state.found;
  const found = await readDatabase(env, (database) => database.execute(sql`SELECT 1`), {
    limitMs: 1000,
  }).then(
    () => 'up' as const,
    () => 'down' as const,
  );
  state = { of: env, found, at: Date.now() };
  return found;
}

async function buildOf(c: AppContext): Promise<string | null> {
  try {
    return (await currentManifest(c.env, Date.now(), c.get('cost'))).buildId;
  } catch {
    return null;
  }
}
