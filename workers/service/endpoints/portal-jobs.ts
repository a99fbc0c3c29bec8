// GET /api/portal/v1/jobs, …/{id}; POST …/{id}/cancel, …/{id}/retry; GET /api/v1/jobs

import * as z from 'zod';
import {
  apiJobsSchema,
  type ChartJob,
  chartJobSchema,
  jobListSchema,
  MAX_CHARTS_PER_PAGE,
} from '../../../shared/contract/charts.ts';
import { changeJob, listJobs } from '../db/chart-store.ts';
import {
  type AppContext,
  type Endpoint,
  jsonAnswer,
  type Parameter,
  queryParameter,
} from '../http/endpoint.ts';
import { ApiError } from '../runtime/errors.ts';
import { badQuery, valuesOfQuery } from './page-query.ts';
import { PORTAL_PATH } from './portal-auth.ts';
import {
  CHARTS_ACCESS,
  CHARTS_READ,
  chartUserOf,
  EXAMPLE_ID,
  ID,
  idOf,
  PAGE,
  pageOf,
} from './portal-charts.ts';
import { NO_STORE } from './portal-tokens.ts';

const JOBS_PATH = `${PORTAL_PATH}/jobs`;
/** Workers ask for jobs more often than this. */
const CONNECTED_MS = 30_000;

const JOB_ID: Parameter = { ...ID, description: 'Id of the job' };
const ACTIVE = queryParameter(
  'activeOnly',
  '`true` for pending and processing jobs only; `false` by default',
  z.enum(['true', 'false']),
);

const JOB: ChartJob = {
  id: EXAMPLE_ID,
  jobType: 'upload',
  jobState: 'processing',
  accountId: 'acme',
  uploadId: '0b7c4b1e-2f6d-4f5c-8d7a-6a1b0c9d8e7f',
  isPublic: false,
  filename: 'harbour.zip',
  percentComplete: 45,
  attempts: 1,
  isCancelled: false,
  createdAt: 1_780_315_200_000,
  updatedAt: 1_780_315_210_000,
  steps: [
    {
      stepName: 'check',
      status: 'processing',
      startedAt: 1_780_315_205_000,
      completedAt: null,
    },
  ],
  logs: [{ timestamp: '2026-06-01T12:00:05.000Z', type: 'info', message: 'Checking 1 cell.' }],
  result: null,
};

async function findJob(c: AppContext, id: string): Promise<ChartJob> {
  const page = { id, limit: 1, offset: 0, activeOnly: false };
  const { jobs } = await listJobs(c.env, chartUserOf(c), page);
  if (jobs[0] === undefined) throw new ApiError('job_not_found');
  return jobs[0];
}

const missing = {
  description: 'The account has no job with this id',
  error: 'job_not_found',
} as const;
const found = jsonAnswer('The job', chartJobSchema, JOB);

const changeOf = (
  to: 'cancelled' | 'pending',
  verb: string,
  texts: [string, string],
): Endpoint => ({
  method: 'post',
  path: `${JOBS_PATH}/{id}/${verb}`,
  id: verb === 'cancel' ? 'portalCancelJob' : 'portalRetryJob',
  summary: texts[0],
  description: texts[1],
  tag: 'Portal',
  access: CHARTS_ACCESS,
  parameters: [JOB_ID],
  answers: {
    200: found,
    404: missing,
    409: { description: 'The state of the job does not permit it', error: 'job_conflict' },
  },
  handle: async (c) => {
    const id = idOf(c, 'job_not_found');
    await changeJob(c.env, chartUserOf(c), id, to);
    return c.json(await findJob(c, id), 200, NO_STORE);
  },
});

export const portalJobs: readonly Endpoint[] = [
  {
    method: 'get',
    path: JOBS_PATH,
    id: 'portalListJobs',
    summary: 'Lists the jobs of the account that change its charts, newest first.',
    description:
      'Jobs run one after the other for each account. `worker` states whether a program that processes jobs is connected.',
    tag: 'Portal',
    access: CHARTS_READ,
    parameters: [...PAGE, ACTIVE],
    isStrict: true,
    answers: {
      200: jsonAnswer('A page of jobs', jobListSchema, {
        jobs: [JOB],
        pagination: { limit: 25, offset: 0, total: 1 },
        worker: { isConnected: true, seenAt: 1_780_315_210_000 },
      }),
      400: badQuery,
    },
    handle: async (c) => {
      const page = pageOf(c);
      const { activeOnly } = valuesOfQuery(c, [ACTIVE]);
      const { jobs, total, workerSeenAt, now } = await listJobs(c.env, chartUserOf(c), {
        ...page,
        activeOnly: activeOnly === 'true',
      });
      const isConnected = workerSeenAt !== null && now - workerSeenAt < CONNECTED_MS;
      const worker = { isConnected, seenAt: workerSeenAt };
      return c.json({ jobs, pagination: { ...page, total }, worker }, 200, NO_STORE);
    },
  },
  {
    method: 'get',
    path: '/api/v1/jobs',
    id: 'listJobs',
    summary: 'Lists the latest jobs of the account that change its charts, newest first.',
    description: `At most ${MAX_CHARTS_PER_PAGE} jobs.`,
    tag: 'Portal',
    access: CHARTS_READ,
    answers: {
      200: jsonAnswer('The jobs', apiJobsSchema, [presentJob(JOB)]),
    },
    handle: async (c) => {
      const page = { limit: MAX_CHARTS_PER_PAGE, offset: 0, activeOnly: false };
      const { jobs } = await listJobs(c.env, chartUserOf(c), page);
      return c.json(jobs.map(presentJob), 200, NO_STORE);
    },
  },
  {
    method: 'get',
    path: `${JOBS_PATH}/{id}`,
    id: 'portalReadJob',
    summary: 'Returns a job with its steps and messages.',
    description: 'The outcome is in `result` after the end.',
    tag: 'Portal',
    access: CHARTS_READ,
    parameters: [JOB_ID],
    answers: { 200: found, 404: missing },
    handle: async (c) => c.json(await findJob(c, idOf(c, 'job_not_found')), 200, NO_STORE),
  },
  changeOf('cancelled', 'cancel', [
    'Cancels the job of an upload.',
    'The charts stay as they are. A job in progress ends within a few seconds.',
  ]),
  changeOf('pending', 'retry', [
    'Starts a failed or cancelled job again.',
    'Finished work is not repeated.',
  ]),
];

function presentJob(job: ChartJob) {
  return {
    id: job.id,
    job_type: job.jobType,
    job_state: job.jobState,
    parameters: job.uploadId === null ? null : { uploadId: job.uploadId },
    percent_complete: job.percentComplete,
    created_at: job.createdAt,
    updated_at: job.updatedAt,
  };
}
