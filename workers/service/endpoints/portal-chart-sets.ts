// GET /api/portal/v1/charts/sets; POST …/{id}/return

import { type ChartSets, chartSetsSchema } from '../../../shared/contract/charts.ts';
import { listSets, returnToSet } from '../db/chart-store.ts';
import { idParameter, jsonAnswer } from '../http/endpoint.ts';

import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';
import { findJob, jobAnswer } from './portal-jobs.ts';
import { CHARTS_ACCESS, CHARTS_READ, chartUserOf } from './receive-charts.ts';

const BUILD_ID = '1f0c5a9b7d3e2f4a';
const SETS_PATH = `${PORTAL_PATH}/charts/sets`;

export const portalChartSets = [
  portalEndpoint({
    method: 'get',
    path: SETS_PATH,
    id: 'portalListChartSets',
    summary: 'Lists the last versions of the charts of the account, newest first.',
    description:
      'The list is empty if the account sees the public charts. Older versions are deleted.',
    access: CHARTS_READ,
    answers: {
      200: jsonAnswer('The versions', chartSetsSchema, {
        sets: [
          {
            ...{ id: BUILD_ID, publishedAt: 1_780_315_230_000, cells: ['XX5HARB1'] },
            ...{ isCurrent: true, canReturn: false },
          },
        ],
      } satisfies ChartSets),
    },
    handle: async ({ c, env }) => ({ sets: await listSets(env, chartUserOf(c)) }),
  }),
  portalEndpoint({
    method: 'post',
    path: `${SETS_PATH}/{id}/return`,
    id: 'portalReturnToChartSet',
    summary: 'Returns to an earlier version of the charts of the account.',
    description:
      'A job checks the stored archives and makes the version current. Uploads that are not part of it stay stored, but are not part of the charts. The version stays until the next upload or deletion, or until the public charts change.',
    access: CHARTS_ACCESS,
    pathParameter: idParameter('Id of the build', BUILD_ID),
    answers: {
      200: jobAnswer,
      404: { description: 'The account has no such version', error: 'set_not_found' },
      409: {
        description:
          'The version is current, an upload in it was deleted, or a return is in progress',
        error: 'set_conflict',
      },
    },
    handle: async ({ c, env, id }) => {
      const jobId = crypto.randomUUID();
      await returnToSet(env, chartUserOf(c), id, jobId);
      return findJob(c, jobId);
    },
  }),
];
