// Errors of uploads of charts and of their jobs.

import { ApiError } from './errors.ts';

export const badUpload = (message: string) =>
  new ApiError(400, 'bad_upload', message, {
    details: [{ path: 'file', message: 'is missing or invalid' }],
  });

export const uploadNotFound = () =>
  new ApiError(
    404,
    'upload_not_found',
    'The account has no upload with this id. List its uploads and check the id.',
  );

export const jobNotFound = () =>
  new ApiError(
    404,
    'job_not_found',
    'The account has no job with this id. List its jobs and check the id.',
  );

export const permitNotSet = () =>
  new ApiError(
    404,
    'permit_not_set',
    'The service has no user permit, because it is not set up for encrypted charts (S-63) or no worker is connected. Ask its operator.',
  );

const conflict = (message: string) => new ApiError(409, 'job_conflict', message);
export const jobOver = () =>
  conflict('The job has ended, or it cannot be cancelled: only uploads can be cancelled.');
export const jobRunning = () =>
  conflict('The job has not failed and was not cancelled, or its upload was deleted.');

export const uploadsFull = () =>
  new ApiError(
    409,
    'uploads_full',
    'Too many uploads of the account are not processed yet. Wait until some have ended, or cancel them.',
  );

export const uploadsUnavailable = () =>
  new ApiError(
    503,
    'uploads_unavailable',
    'The file cannot be stored, and nothing was changed. Retry after the time in Retry-After.',
    { headers: { 'retry-after': '10' } },
  );
