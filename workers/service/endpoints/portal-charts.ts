// POST /api/portal/v1/charts/upload; GET /api/portal/v1/charts/uploads, …/{id}; DELETE …/{id};
// POST /api/v1/charts/upload

import * as z from 'zod';
import {
  type ChartUpload,
  isUuid,
  MAX_CHART_UPLOAD_BYTES,
  MAX_CHARTS_PER_PAGE,
  MAX_LISTED,
  MAX_UPLOAD_FILES,
  newUploadSchema,
  uploadDeletedSchema,
  uploadListSchema,
  uploadSchema,
  userPermitSchema,
} from '../../../shared/contract/charts.ts';
import { wholeNumber } from '../../../shared/contract/query.ts';
import { type StoredFile, storeFile } from '../charts/upload-store.ts';
import {
  abandonUpload,
  deleteUpload,
  finishUpload,
  listUploads,
  readUpload,
  readUserPermit,
} from '../db/chart-store.ts';
import {
  type AppContext,
  FORM,
  idParameter,
  jsonAnswer,
  type Parameter,
} from '../http/endpoint.ts';
import { badForm, readFormFiles } from '../http/read-form.ts';
import { ApiError, bodyTooLarge } from '../runtime/errors.ts';
import type { RefusalCode } from '../runtime/refusals.ts';
import { checked } from './page-query.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';
import {
  acceptedName,
  accountOf,
  beginTransfer,
  CHARTS_ACCESS,
  CHARTS_READ,
  chartUserOf,
  receive,
} from './receive-charts.ts';
import type { UploadPlace } from './upload-places.ts';

/** Stores the files of a form as they arrive, then starts their job. */
async function storeForm(c: AppContext, isPublic: boolean, uploadPlace: UploadPlace) {
  const user = chartUserOf(c);
  const id = crypto.randomUUID();
  const files: StoredFile[] = [];
  let begun: Promise<void> | undefined;
  const limits = { maxBytes: MAX_CHART_UPLOAD_BYTES, maxFiles: MAX_UPLOAD_FILES };
  if (Number(c.req.header('content-length')) > limits.maxBytes) throw bodyTooLarge(limits.maxBytes);
  const take = async (given: string, bytes: AsyncIterable<Uint8Array>) => {
    const name = acceptedName(given);
    begun ??= beginTransfer(c, { id, isPublic, filename: name });
    await begun;
    const place = { account: accountOf(c), upload: id, file: files.length };
    const file = await storeFile(c.env, place, name, bytes);
    if (file.bytes === 0) throw badForm(`${name} is empty.`);
    files.push(file);
  };
  // The whole form is measured, also the time before its first file.
  await readFormFiles(c, limits, take, uploadPlace.measured).catch((error: unknown) => {
    // A worker deletes its files. Until then, it counts as open.
    const abandoned = begun?.then(() => abandonUpload(c.env, user, id));
    if (abandoned !== undefined) c.get('cost').defer(abandoned.catch(() => undefined));
    throw error;
  });
  const [first] = files;
  if (first === undefined) throw badForm('The form has no file. Send it in the field file.');
  const fileSize = files.reduce((sum, { bytes }) => sum + bytes, 0);
  await finishUpload(c.env, user, { id, files, jobId: crypto.randomUUID() }, fileSize);
  return { upload: { id, filename: first.name, fileSize, status: 'pending' } };
}

export const EXAMPLE_ID = '5f0c6f8e-4b1d-4b7a-9a50-3f2f2c1d0e9a';
const UPLOAD: ChartUpload = {
  id: EXAMPLE_ID,
  filename: 'harbour.zip',
  fileSize: 104_857,
  status: 'succeeded',
  isPublic: false,
  isLive: true,
  createdAt: 1_780_315_200_000,
  updatedAt: 1_780_315_230_000,
  uploaderEmail: 'owner@acme.example',
  totalCharts: 1,
  expiredCharts: 0,
  cells: [{ name: 'XX5HARB1', outcome: 'accepted', edition: 2, update: 1, problems: [] }],
  logs: [{ timestamp: '2026-06-01T12:00:05.000Z', type: 'info', message: 'Checking 1 cell.' }],
  jobId: '0b7c4b1e-2f6d-4f5c-8d7a-6a1b0c9d8e7f',
};

export const PAGE = {
  limit: {
    ...wholeNumber(1, MAX_CHARTS_PER_PAGE),
    description: `Maximum number of entries, 1 to ${MAX_CHARTS_PER_PAGE}; 25 by default`,
    otherwise: 25,
  },
  offset: {
    ...wholeNumber(0, 1_000_000),
    description: 'Number of entries to skip; 0 by default',
    otherwise: 0,
  },
} as const;
export const TARGET = checked(
  '`account` for the charts of the account (the default), `public` for the public charts, which only administrators can change',
  z.enum(['account', 'public']),
);

/** The id in the path, if it can be one. @throws ApiError */
export function knownId(text: string, missing: RefusalCode): string {
  const id = text.toLowerCase();
  if (!isUuid(id)) throw new ApiError(missing);
  return id;
}
export const ID: Parameter = idParameter('Id of the upload', EXAMPLE_ID);

export const missing = {
  description: 'The account has no upload with this id',
  error: 'upload_not_found',
} as const;

const upload = (path: string, id: string) =>
  portalEndpoint({
    method: 'post',
    path,
    id,
    summary: 'Uploads charts of the account: a cell with its updates, or a zip.',
    description:
      'The files are stored while they arrive; a job then checks each cell, builds the charts of the account and publishes them. Tokens of other accounts do not see the cells. A cell replaces an older edition of the same cell. Accepted files: cells (`.000` and updates), zips of exchange sets (`.zip`), permits (`PERMIT.TXT`, `.prm`, `.pmt`); at most 1 GiB in total, or less if the host of the service limits requests. Permits (S-63) are kept for the account until their upload is deleted; upload them before a zip of encrypted charts.',
    access: CHARTS_ACCESS,
    query: { target: TARGET },
    body: {
      contentType: FORM,
      schema: z.strictObject({
        file: z
          .string()
          .meta({ format: 'binary', description: 'A file; repeat the field for more' }),
      }),
      description: 'One or more files in the field `file`',
      example: { file: 'harbour.zip' },
    },
    answers: {
      200: jsonAnswer('The upload; its job has not started', newUploadSchema, {
        upload: { id: EXAMPLE_ID, filename: 'harbour.zip', fileSize: 104_857, status: 'pending' },
      }),
      400: { description: 'There is no file, or it is not accepted', error: 'bad_upload' },
      409: { description: 'Too many uploads are not processed yet', error: 'uploads_full' },
    },
    handle: ({ c, query: { target } }) =>
      receive(c, (place) => storeForm(c, target === 'public', place)),
  });

export const portalCharts = [
  upload(`${PORTAL_PATH}/charts/upload`, 'portalUploadCharts'),
  upload('/api/v1/charts/upload', 'uploadCharts'),
  portalEndpoint({
    method: 'get',
    path: `${PORTAL_PATH}/charts/uploads`,
    id: 'portalListUploads',
    summary: 'Lists the uploads of charts of the account, newest first.',
    description: `Each upload contains the last ${MAX_LISTED} messages of its last job and the results for its first ${MAX_LISTED} cells. \`…/{id}\` returns all of them.`,
    access: CHARTS_READ,
    query: PAGE,
    answers: {
      200: jsonAnswer('A page of uploads', uploadListSchema, {
        uploads: [UPLOAD],
        pagination: { limit: 25, offset: 0, total: 1 },
      }),
    },
    handle: async ({ c, env, query: page }) => {
      const { uploads, total } = await listUploads(env, chartUserOf(c), page);
      return { uploads: [...uploads], pagination: { ...page, total } };
    },
  }),
  portalEndpoint({
    method: 'get',
    path: `${PORTAL_PATH}/charts/uploads/{id}`,
    id: 'portalReadUpload',
    summary: 'Returns an upload of charts.',
    description: 'Contains the messages of the last job and the result for each cell.',
    access: CHARTS_READ,
    pathParameter: ID,
    answers: {
      200: jsonAnswer('The upload', uploadSchema, { upload: UPLOAD }),
      404: missing,
    },
    handle: async ({ c, env, id: text }) => {
      const id = knownId(text, 'upload_not_found');
      return { upload: await readUpload(env, chartUserOf(c), id) };
    },
  }),
  portalEndpoint({
    method: 'get',
    path: `${PORTAL_PATH}/charts/getPermit`,
    id: 'portalReadUserPermit',
    summary: 'Returns the user permit (S-63) of the service.',
    description:
      'A chart supplier creates cell permits for this user permit. Upload these permits, then the encrypted charts.',
    access: CHARTS_READ,
    answers: {
      200: jsonAnswer('The user permit', userPermitSchema, {
        permitId: '66B5CBFDF7E4139D5B6086C23130',
      }),
      404: { description: 'The service does not decrypt charts', error: 'permit_not_set' },
    },
    handle: async ({ c, env }) => {
      const permitId = await readUserPermit(env, chartUserOf(c));
      if (permitId === undefined) throw new ApiError('permit_not_set');
      return { permitId };
    },
  }),
  portalEndpoint({
    method: 'delete',
    path: `${PORTAL_PATH}/charts/uploads/{id}`,
    id: 'portalDeleteUpload',
    summary: 'Deletes an upload and removes its cells from the charts.',
    description:
      'An unfinished job of the upload is cancelled. A job then builds the charts without the cells and deletes the files.',
    access: CHARTS_ACCESS,
    pathParameter: ID,
    answers: {
      200: jsonAnswer('The deletion is scheduled', uploadDeletedSchema, {
        message: 'The upload will be deleted.',
      }),
      404: missing,
    },
    handle: async ({ c, env, id: text }) => {
      const id = knownId(text, 'upload_not_found');
      await deleteUpload(env, chartUserOf(c), id, crypto.randomUUID());
      return { message: 'The upload will be deleted.' };
    },
  }),
];
