// GET /api/portal/v1/jobs, …/{id}, …/{id}/events; POST …/{id}/cancel, …/{id}/retry; GET /api/v1/jobs

import * as z from 'zod';
import {
  apiJobsSchema,
  type ChartJob,
  chartJobSchema,
  jobListSchema,
  MAX_CHARTS_PER_PAGE,
} from '../../../shared/contract/charts.ts';
import { changeJob, listJobs } from '../db/chart-store.ts';
import { type AppContext, jsonAnswer, type Parameter } from '../http/endpoint.ts';
import { ApiError } from '../runtime/errors.ts';
import { followJob } from './job-events.ts';
import { checked } from './page-query.ts';
import { EXAMPLE_ID, ID, knownId, PAGE } from './portal-charts.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';
import { CHARTS_ACCESS, CHARTS_READ, chartUserOf } from './receive-charts.ts';

const JOBS_PATH = `${PORTAL_PATH}/jobs`;
/** Workers ask for jobs more often than this. */
const CONNECTED_MS = 30_000;

const JOB_ID: Parameter = { ...ID, description: 'Id of the job' };
const ACTIVE = checked(
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

/** @throws ApiError 404, 503 */
export async function findJob(c: AppContext, text: string): Promise<ChartJob> {
  const id = knownId(text, 'job_not_found');
  const page = { id, limit: 1, offset: 0, activeOnly: false };
  const { jobs } = await listJobs(c.env, chartUserOf(c), page);
  if (jobs[0] === undefined) throw new ApiError('job_not_found');
  return jobs[0];
}

const missing = {
  description: 'The account has no job with this id',
  error: 'job_not_found',
} as const;
export const jobAnswer = jsonAnswer('The job', chartJobSchema, JOB);

const changeOf = (to: 'cancelled' | 'pending', verb: string, texts: [string, string]) =>
  portalEndpoint({
    method: 'post',
    path: `${JOBS_PATH}/{id}/${verb}`,
    id: verb === 'cancel' ? 'portalCancelJob' : 'portalRetryJob',
    summary: texts[0],
    description: texts[1],
    access: CHARTS_ACCESS,
    pathParameter: JOB_ID,
    answers: {
      200: jobAnswer,
      404: missing,
      409: { description: 'The state of the job does not permit it', error: 'job_conflict' },
    },
    handle: async ({ c, env, id }) => {
      await changeJob(env, chartUserOf(c), knownId(id, 'job_not_found'), to);
      return findJob(c, id);
    },
  });

export const portalJobs = [
  portalEndpoint({
    method: 'get',
    path: JOBS_PATH,
    id: 'portalListJobs',
    summary: 'Lists the jobs of the account that change its charts, newest first.',
    description:
      'Jobs run one after the other for each account. `worker` states whether a program that processes jobs is connected.',
    access: CHARTS_READ,
    query: { ...PAGE, activeOnly: ACTIVE },
    answers: {
      200: jsonAnswer('A page of jobs', jobListSchema, {
        jobs: [JOB],
        pagination: { limit: 25, offset: 0, total: 1 },
        worker: { isConnected: true, seenAt: 1_780_315_210_000 },
      }),
    },
    handle: async ({ c, env, query: { activeOnly, ...page } }) => {
      const { jobs, total, workerSeenAt, now } = await listJobs(env, chartUserOf(c), {
        ...page,
        activeOnly: activeOnly === 'true',
      });
      const isConnected = workerSeenAt !== null && now - workerSeenAt < CONNECTED_MS;
      const worker = { isConnected, seenAt: workerSeenAt };
      return { jobs: [...jobs], pagination: { ...page, total }, worker };
    },
  }),
  portalEndpoint({
    method: 'get',
    path: '/api/v1/jobs',
    id: 'listJobs',
    summary: 'Lists the latest jobs of the account that change its charts, newest first.',
    description: `At most ${MAX_CHARTS_PER_PAGE} jobs.`,
    access: CHARTS_READ,
    answers: { 200: jsonAnswer('The jobs', apiJobsSchema, [presentJob(JOB)]) },
    handle: async ({ c, env }) => {
      const page = { limit: MAX_CHARTS_PER_PAGE, offset: 0, activeOnly: false };
      const { jobs } = await listJobs(env, chartUserOf(c), page);
      return jobs.map(presentJob);
    },
  }),
  portalEndpoint({
    method: 'get',
    path: `${JOBS_PATH}/{id}`,
    id: 'portalReadJob',
    summary: 'Returns a job with its steps and messages.',
    description: 'The outcome is in `result` after the end.',
    access: CHARTS_READ,
    pathParameter: JOB_ID,
    answers: { 200: jobAnswer, 404: missing },
    handle: ({ c, id }) => findJob(c, id),
  }),
  portalEndpoint({
    method: 'get',
    path: `${JOBS_PATH}/{id}/events`,
    id: 'portalFollowJob',
    summary: 'Sends the progress of a job as server-sent events.',
    description:
      'Each event `job` has the job as JSON: first its state now, then each change, until it ends. The stream also ends after about 40 seconds; `EventSource` connects again by itself, and stops after the end of the job.',
    access: CHARTS_READ,
    pathParameter: JOB_ID,
    answers: {
      200: {
        description: 'Events of the job',
        contentType: 'text/event-stream',
        schema: z.string().describe('Server-sent events'),
        example: `event: job\ndata: ${JSON.stringify(JOB)}\nid: ${JOB.updatedAt}\nretry: 1000\n\n`,
      },
      204: { description: '`Last-Event-ID` is the end of the job' },
      404: missing,
      429: { description: 'Too many streams are open', error: 'too_many_at_once' },
    },
    handle: async ({ c, id }) => followJob(c, await findJob(c, id), () => findJob(c, id)),
  }),
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
