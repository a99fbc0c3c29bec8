// POST /api/portal/v1/charts/refresh; POST /api/v1/charts/refresh;
// GET and POST /api/portal/v1/admin/chartSchedule

import {
  type ChartSchedule,
  refreshSchema,
  scheduleChangeSchema,
  scheduleSchema,
} from '../../../shared/contract/charts.ts';
import { chartSchedule, refreshCharts } from '../db/chart-store.ts';
import { jsonAnswer } from '../http/endpoint.ts';
import { EXAMPLE_ID } from './portal-charts.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';
import { chartUserOf } from './receive-charts.ts';

const refresh = (path: string, id: string) =>
  portalEndpoint({
    method: 'post',
    path,
    id,
    summary: 'Downloads the new editions of the configured producers into the public charts.',
    description:
      'A job downloads what changed, removes withdrawn cells, and builds and publishes the public charts. The operator configures producers with `LEADLINE_SYNC`. Requires an administrator, or a token with `charts:write` of an account that has one. If a refresh is active, it is returned.',
    access: { kind: 'token', scope: 'charts:write', orRole: 'administrator' },
    answers: {
      200: jsonAnswer('The job', refreshSchema, { jobId: EXAMPLE_ID, jobState: 'pending' }),
      409: { description: 'No producer is configured', error: 'producer_missing' },
    },
    handle: ({ c, env }) => refreshCharts(env, chartUserOf(c), crypto.randomUUID()),
  });

const SCHEDULE_PATH = `${PORTAL_PATH}/admin/chartSchedule`;
const SCHEDULE: ChartSchedule = { every: 'week', nextAt: 1_780_920_000_000, hasProducers: true };
const scheduleAnswer = jsonAnswer('The schedule', scheduleSchema, SCHEDULE);

export const portalRefresh = [
  refresh(`${PORTAL_PATH}/charts/refresh`, 'portalRefreshCharts'),
  refresh('/api/v1/charts/refresh', 'refreshCharts'),
  portalEndpoint({
    method: 'get',
    path: SCHEDULE_PATH,
    id: 'portalReadChartSchedule',
    summary: 'Returns when the public charts are refreshed.',
    description: '`hasProducers` states whether a worker has producers to download from.',
    access: 'administrator',
    answers: { 200: scheduleAnswer },
    handle: ({ c, env }) => chartSchedule(env, chartUserOf(c)),
  }),
  portalEndpoint({
    method: 'post',
    path: SCHEDULE_PATH,
    id: 'portalSetChartSchedule',
    summary: 'Sets when the public charts are refreshed.',
    description: 'The first refresh is a day or a week after this request.',
    access: 'administrator',
    body: {
      schema: scheduleChangeSchema,
      description: 'Time between refreshes',
      example: { every: 'week' },
    },
    answers: { 200: scheduleAnswer },
    handle: ({ c, env, body: { every } }) => chartSchedule(env, chartUserOf(c), every),
  }),
];
