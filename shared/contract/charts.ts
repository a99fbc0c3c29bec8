// Uploads of charts and the jobs that process them: responses of the portal and of the API.

import * as z from 'zod';
import { boxEdges, count, epochMs, scaleDenominator } from './units.ts';

/** Maximum length of an upload, 1 GiB. */
export const MAX_CHART_UPLOAD_BYTES = 1_073_741_824;
/** Files of one upload, for example a base file and its updates. */
export const MAX_UPLOAD_FILES = 100;
/** Uploads of an account that are not processed yet. */
export const MAX_OPEN_UPLOADS = 20;
/** A resumable upload ends if it is not continued for this long. */
export const UPLOAD_LIFETIME_MS = 86_400_000;
export const MAX_CHARTS_PER_PAGE = 100;
/** Cells of each upload, and messages of each job, in a list. One upload or job has all of them. */
export const MAX_LISTED = 100;

/** Names of accepted files: cells and updates, zips, permits, texts of deliveries (SERIAL.ENC, STATUS.LST). */
const ACCEPTED_FILE = /\.(\d{3}|zip|txt|prm|pmt|enc|lst)$/i;
export const isChartFile = (name: string): boolean => ACCEPTED_FILE.test(name);

/** The text of SSE 25 (S-63). */
export const PERMIT_EXPIRED =
  'The permit of this chart has expired. The chart may be out of date and must not be used for navigation';

const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const isUuid = (text: string): boolean => uuid.safeParse(text).success;

export const UPLOAD_STATES = [
  'pending',
  'processing',
  'succeeded',
  'failed',
  'cancelled',
  'deleting',
] as const;
export const JOB_STATES = ['pending', 'processing', 'succeeded', 'failed', 'cancelled'] as const;
export const JOB_TYPES = ['upload', 'delete', 'rebuild', 'erase', 'rollback', 'refresh'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** What happened to a cell of an upload. */
export const CELL_OUTCOMES = ['accepted', 'accepted-partly', 'cancelled', 'refused'] as const;

const cellReport = z.strictObject({
  name: z.string().describe('Name of the cell'),
  outcome: z
    .enum(CELL_OUTCOMES)
    .describe('`accepted-partly`: shown, but parts of it could not be read'),
  edition: count.describe('Edition; 0 if it is unknown'),
  update: count.describe('Number of the last update'),
  problems: z.array(z.string()).describe('Problems of the cell as sentences'),
});
export type CellReport = z.infer<typeof cellReport>;

/** Whether the files of a cell are part of the charts. A cancelled cell removes an older one. */
export const isShown = ({ outcome }: CellReport): boolean => outcome !== 'refused';

const logLine = z.strictObject({
  timestamp: z.string().describe('Time, ISO 8601 in UTC'),
  type: z.enum(['info', 'warning', 'error']).describe('Kind of the message'),
  message: z.string().describe('What happened'),
});
export type LogLine = z.infer<typeof logLine>;

const uploadFields = {
  id: uuid.describe('Id of the upload'),
  filename: z.string().describe('Name of the uploaded file, or of the first of several'),
  fileSize: count.describe('Length of all files, bytes'),
  status: z.enum(UPLOAD_STATES).describe('State of the upload'),
};

/** The answer to an upload. */
export const newUploadSchema = z
  .strictObject({ upload: z.strictObject(uploadFields).describe('The new upload') })
  .meta({ id: 'NewChartUpload', description: 'An upload whose job has not started' });

const chartUpload = z
  .strictObject({
    ...uploadFields,
    isPublic: z.boolean().describe('Whether the cells belong to the public charts'),
    isLive: z
      .boolean()
      .describe(
        'Whether the cells are part of the charts. Tiles and queries show a change within a minute',
      ),
    createdAt: epochMs.describe('Time of the upload, epoch milliseconds'),
    updatedAt: epochMs.describe('Time of the last change, epoch milliseconds'),
    uploaderEmail: z.string().nullable().describe('Address of the user; null for a token'),
    totalCharts: count.describe('Number of cells in the upload'),
    expiredCharts: count.describe(
      'Number of cells in the upload that their producer has cancelled',
    ),
    cells: z
      .array(cellReport)
      .describe(
        `What happened to each cell. In a list, the first ${MAX_LISTED} cells of each upload`,
      ),
    logs: z.array(logLine).describe(`Messages of the last job; in a list, the last ${MAX_LISTED}`),
    jobId: uuid.nullable().describe('Id of the last job'),
  })
  .meta({ id: 'ChartUpload', description: 'An upload of charts' });
export type ChartUpload = z.infer<typeof chartUpload>;

export const uploadSchema = z
  .strictObject({ upload: chartUpload.describe('The upload') })
  .meta({ id: 'ChartUploadAnswer', description: 'One upload' });

const page = {
  limit: count.describe('Maximum number of entries'),
  offset: count.describe('Number of skipped entries'),
};

export const uploadListSchema = z
  .strictObject({
    uploads: z.array(chartUpload).describe('Uploads, the newest first'),
    pagination: z
      .strictObject({ ...page, total: count.describe('Number of all uploads') })
      .describe('The page'),
  })
  .meta({ id: 'ChartUploadList', description: 'A page of uploads' });
export type ChartUploadList = z.infer<typeof uploadListSchema>;

export const jobStepSchema = z.strictObject({
  stepName: z.string().describe('Name of the step'),
  status: z.enum(JOB_STATES).describe('State of the step'),
  startedAt: epochMs.nullable().describe('Time of its start, epoch milliseconds'),
  completedAt: epochMs.nullable().describe('Time of its end, epoch milliseconds'),
});
export type JobStep = z.infer<typeof jobStepSchema>;

export const chartJobSchema = z
  .strictObject({
    id: uuid.describe('Id of the job'),
    jobType: z
      .enum(JOB_TYPES)
      .describe(
        '`rebuild` follows a change of the public charts; `rollback` returns to an earlier version; `refresh` downloads new editions of producers',
      ),
    jobState: z.enum(JOB_STATES).describe('State of the job'),
    accountId: z.string().describe('Id of the account'),
    uploadId: uuid.nullable().describe('Id of the upload; null for other jobs'),
    isPublic: z.boolean().describe('Whether the job changes the public charts'),
    filename: z.string().nullable().describe('Name of the uploaded file'),
    percentComplete: z.number().int().min(0).max(100).describe('Progress in percent'),
    attempts: count.describe('Number of times that a worker started the job'),
    isCancelled: z.boolean().describe('Whether a user has cancelled the job'),
    createdAt: epochMs.describe('Time at which the job was created, epoch milliseconds'),
    updatedAt: epochMs.describe('Time of the last change, epoch milliseconds'),
    steps: z.array(jobStepSchema).describe('Steps in order'),
    logs: z.array(logLine).describe(`Messages; in a list, the last ${MAX_LISTED}`),
    result: z
      .strictObject({
        message: z.string().describe('The outcome as a sentence'),
        buildId: z.string().nullable().describe('Id of the build that was published'),
      })
      .nullable()
      .describe('The outcome; null before the end'),
  })
  .meta({ id: 'ChartJob', description: 'A job that changes charts' });
export type ChartJob = z.infer<typeof chartJobSchema>;

export const jobListSchema = z
  .strictObject({
    jobs: z.array(chartJobSchema).describe('Jobs, the newest first'),
    pagination: z
      .strictObject({ ...page, total: count.describe('Number of all jobs') })
      .describe('The page'),
    worker: z
      .strictObject({
        isConnected: z.boolean().describe('Whether a worker asked for jobs in the last 30 seconds'),
        seenAt: epochMs.nullable().describe('When a worker last asked for jobs'),
      })
      .describe('The workers that process jobs'),
  })
  .meta({ id: 'ChartJobList', description: 'A page of jobs' });
export type ChartJobList = z.infer<typeof jobListSchema>;

export const apiJobsSchema = z
  .array(
    z
      .strictObject({
        id: uuid.describe('Id of the job'),
        job_type: z.enum(JOB_TYPES).describe('Kind of the job'),
        job_state: z.enum(JOB_STATES).describe('State of the job'),
        parameters: z
          .strictObject({ uploadId: uuid.describe('Id of the upload') })
          .nullable()
          .describe('Input of the job'),
        percent_complete: z.number().int().min(0).max(100).describe('Progress in percent'),
        created_at: epochMs.describe('Time at which the job was created, epoch milliseconds'),
        updated_at: epochMs.describe('Time of the last change, epoch milliseconds'),
      })
      .meta({ id: 'ApiChartJob', description: 'A job that changes charts' }),
  )
  .max(MAX_CHARTS_PER_PAGE);

export const chartSetsSchema = z
  .strictObject({
    sets: z
      .array(
        z.strictObject({
          id: z.string().describe('Id of the build'),
          publishedAt: epochMs.describe('When it became current, epoch milliseconds'),
          cells: z.array(z.string()).describe('Names of the uploaded cells in it'),
          isCurrent: z.boolean().describe('Whether the account sees it now'),
          canReturn: z
            .boolean()
            .describe('Whether it can become current again: all of its uploads still exist'),
        }),
      )
      .describe('Versions, the newest first'),
  })
  .meta({ id: 'ChartSets', description: 'Versions of the charts of an account' });
export type ChartSets = z.infer<typeof chartSetsSchema>;

export const uploadDeletedSchema = z
  .strictObject({ message: z.string().describe('What happens next') })
  .meta({ id: 'ChartUploadDeletion', description: 'The answer to the deletion of an upload' });

export const userPermitSchema = z
  .strictObject({ permitId: z.string().describe('User permit, 28 characters') })
  .meta({ id: 'UserPermit', description: 'The user permit (S-63) of the service' });

export const refreshSchema = z
  .strictObject({
    jobId: uuid.describe('Id of the job'),
    jobState: z.enum(JOB_STATES).describe('State of the job'),
  })
  .meta({ id: 'ChartRefresh', description: 'A job that refreshes the public charts' });

const every = z.enum(['never', 'day', 'week']).describe('Time between refreshes');
export const scheduleChangeSchema = z
  .strictObject({ every })
  .meta({ id: 'ChartScheduleChange', description: 'When the public charts are refreshed' });
export const scheduleSchema = z
  .strictObject({
    every,
    nextAt: epochMs.nullable().describe('Time of the next refresh; null without a schedule'),
    hasProducers: z.boolean().describe('Whether a worker has producers to download from'),
  })
  .meta({ id: 'ChartSchedule', description: 'When the public charts are refreshed' });
export type ChartSchedule = z.infer<typeof scheduleSchema>;

export const mapTokenSchema = z
  .strictObject({
    token: z.string().describe('The token'),
    expiresAt: epochMs.describe('Time of expiry, epoch milliseconds'),
  })
  .meta({ id: 'MapToken', description: 'A token for a map of the charts of the account' });

export const MAX_LISTED_CELLS = 10_000;
export const MAX_LISTED_PROBLEMS = 5;

export const chartCellsSchema = z
  .strictObject({
    buildId: z.string().describe('Id of the build'),
    hasOwn: z.boolean().describe('Whether the account has charts of its own'),
    total: count.describe('Number of all cells'),
    cells: z
      .array(
        z.strictObject({
          name: z.string().describe('Name of the cell'),
          edition: count.describe('Edition; 0 if it is unknown'),
          update: count.describe('Number of the last update'),
          issueDate: z.string().describe('Day of issue, YYYYMMDD; empty if it is unknown'),
          scaleDenominator: scaleDenominator.describe('Compilation scale, for example 10000'),
          bounds: boxEdges,
          status: z
            .enum(['used', 'used-partly', 'cancelled', 'refused'])
            .describe('Whether the charts show the cell'),
          problems: z.array(z.string()).describe('Problems of the cell as sentences'),
        }),
      )
      .describe('The cells by name'),
  })
  .meta({ id: 'ChartCells', description: 'The cells of the charts that an account sees' });
export type ChartCells = z.infer<typeof chartCellsSchema>;

/** Key of the pointer to the charts of an account, like `current.json` for the public charts. */
export const setKey = (account: string, name: string): string => `sets/${account}/${name}`;
