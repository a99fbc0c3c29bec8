// Factories of all error responses. Each has a stable code. The body is a problem document (RFC
// 9457) with an additional `error` text for simple clients.

import type { RefusalCode } from './refusals.ts';

/** An error response. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly ProblemDetail[];
  /** Further members of the body, such as `owned`. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: RefusalCode,
    message: string,
    more: Partial<ApiErrorParts> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = more.headers ?? {};
    this.details = more.details ?? [];
    this.members = more.members ?? {};
  }
}

interface ApiErrorParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly ProblemDetail[];
  readonly members: Readonly<Record<string, unknown>>;
}

/** An invalid field. Its value is never repeated. */
interface ProblemDetail {
  readonly path: string;
  readonly message: string;
}

const MAX_DETAILS = 10;
const RETRY_SECONDS = '2';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Content too large',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  431: 'Request header fields too large',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Service unavailable',
};

/** An error response, independent of the server that sends it. */
interface ProblemParts {
  readonly status: number;
  /** Lower-case names. They forbid caching. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON: RFC 9457. */
  readonly text: string;
}

export function problemParts(error: ApiError, requestId: string): ProblemParts {
  const body = {
    type: `/docs#${error.code}`,
    title: TITLES[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    error: error.message,
    ...(error.details.length === 0 ? {} : { errors: error.details.slice(0, MAX_DETAILS) }),
    ...error.members,
  };
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...error.headers,
  };
  return { status: error.status, headers, text: JSON.stringify(body) };
}

export function errorResponse(error: ApiError, requestId: string): Response {
  const { status, headers, text } = problemParts(error, requestId);
  return new Response(text, { status, headers });
}

export const secretTokenRequired = () =>
  new ApiError(
    403,
    'secret_token_required',
    'externalUserId requires a secret token. Use a secret token, or omit externalUserId.',
  );
export const userTokenRequired = () =>
  new ApiError(
    403,
    'user_token_required',
    'With a public token, only the end user who created a report can delete it. Send the user token from POST /api/v1/user-tokens in the header Leadline-User.',
  );
export const planRequired = () =>
  new ApiError(
    403,
    'plan_required',
    'This endpoint requires the enterprise plan, but the account has the standard plan. Ask the operator of the service for the enterprise plan.',
  );
export const pilotRequired = () =>
  new ApiError(
    403,
    'pilot_required',
    'This endpoint is restricted to pilot customers, and the token does not belong to one. Ask the operator of the service for a pilot token.',
  );
export const notFound = () =>
  new ApiError(
    404,
    'not_found',
    'There is nothing at this address. Check the path: /docs lists all endpoints.',
  );
export const methodNotAllowed = (allowed: readonly string[]) =>
  new ApiError(
    405,
    'method_not_allowed',
    `This endpoint does not support the method. Use ${allowed.join(', ')}.`,
    {
      headers: { allow: allowed.join(', ') },
    },
  );
export const badRequest = (
  code: RefusalCode,
  message: string,
  details: readonly ProblemDetail[] = [],
) => new ApiError(400, code, message, { details });
export const badTile = (message: string) => new ApiError(400, 'bad_tile', message);
export const tileNotFound = (message: string) => new ApiError(404, 'tile_out_of_range', message);
export const noChartData = () =>
  new ApiError(
    404,
    'no_chart_data',
    'No chart covers this tile. /api/v2/tiles/data-geojson-v1.json lists the charted bounds.',
  );
export const noChartsInRegion = () =>
  new ApiError(
    404,
    'no_chart_data',
    'There is no chart data in this bounding box. Request a different box.',
  );
export const regionTooLarge = (limitBytes: number, bytes?: number) =>
  new ApiError(
    413,
    'region_too_large',
    `The region ${bytes === undefined ? 'exceeds' : `has ${bytes} bytes, which exceeds`} the limit of ${limitBytes} bytes. Request a smaller bounding box or a lower maxZoom. For larger regions, ask the operator of the service, who can create them with charts extract.`,
    { members: { limitBytes, ...(bytes === undefined ? {} : { bytes }) } },
  );
export const deltaTooLarge = (limitBytes: number) =>
  new ApiError(
    413,
    'region_too_large',
    `The two region files together exceed the limit of ${limitBytes} bytes for a delta. Download the whole region without from.`,
    { members: { limitBytes } },
  );
export const regionChanged = (etag: string) =>
  new ApiError(
    412,
    'region_changed',
    'The charts have changed since the file in If-Match was created. Download the region from the start, or request a delta with from.',
    { headers: { etag } },
  );
export const regionNotKnown = () =>
  new ApiError(
    404,
    'region_not_known',
    '`from` refers to a file of a different bounding box, or of a build that is no longer available. Download the whole region without from.',
  );
export const rangeNotSatisfiable = (bytes: number) =>
  new ApiError(
    416,
    'range_not_satisfiable',
    `The range begins after the end of the file, which has ${bytes} bytes. Request a range within the file.`,
    {
      headers: { 'content-range': `bytes */${bytes}` },
    },
  );
export const bodyTooLarge = (limitBytes: number, what = 'The body') =>
  new ApiError(
    413,
    'body_too_large',
    `${what} exceeds the limit of ${limitBytes} bytes. Send less data per request.`,
  );
export const requestTimeout = () =>
  new ApiError(
    408,
    'request_timeout',
    'The body arrived too slowly, and the request was not processed. Send it again, over a faster connection or in smaller parts.',
  );
export const incompleteBody = () =>
  new ApiError(
    400,
    'incomplete_body',
    'The body ended early or its framing is invalid, and the request was not processed. Send it again.',
  );
export const tooManyValues = (most: number) =>
  new ApiError(
    413,
    'too_many_values',
    `The body has more than ${most} JSON values. Send less data per request.`,
  );
export const unsupportedMedia = (message: string) =>
  new ApiError(415, 'unsupported_media_type', message);
export const tooManyRequests = (periodSeconds: number) =>
  new ApiError(
    429,
    'too_many_requests',
    `Too many requests. Wait ${periodSeconds} seconds before the next one.`,
    {
      headers: { 'retry-after': String(periodSeconds) },
    },
  );
export const tooManyAtOnce = () =>
  new ApiError(
    429,
    'too_many_at_once',
    'Too many requests of this kind are running for this token or account. Wait until one has finished, then retry.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const limitsUnavailable = () =>
  new ApiError(
    503,
    'limits_unavailable',
    'The rate limiter is unavailable, and the request was not processed. Retry in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const chartsUnavailable = () =>
  new ApiError(
    503,
    'charts_unavailable',
    'The charts are temporarily unavailable. Retry in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const tokensUnavailable = () =>
  new ApiError(
    503,
    'tokens_unavailable',
    'Tokens cannot be verified at the moment. Retry in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const artworkUnavailable = () =>
  new ApiError(
    503,
    'artwork_unavailable',
    'Symbols and fonts are temporarily unavailable. Retry in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const rasterUnavailable = () =>
  new ApiError(
    503,
    'raster_unavailable',
    'The raster tile cannot be rendered at the moment. Retry in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const styleNotFound = () =>
  new ApiError(
    404,
    'style_not_found',
    'The account has no saved style with this id or name. GET /api/portal/v1/styles lists its styles.',
  );
export const styleNameTaken = () =>
  new ApiError(
    409,
    'style_name_taken',
    'Another saved style of the account has this name. Choose a different name, or replace that style.',
  );
export const tooManyStyles = (most: number) =>
  new ApiError(
    409,
    'too_many_styles',
    `The account already has ${most} saved styles, which is the maximum. Delete one first.`,
  );
export const reportExists = (owned: boolean) =>
  new ApiError(
    409,
    'report_exists',
    'A report with this id already exists. Use a different id, or omit it.',
    {
      members: owned ? { owned } : {},
    },
  );
export const reportNotFound = () =>
  new ApiError(
    404,
    'report_not_found',
    'There is no report with this id. GET /api/v1/user-reports lists active reports.',
  );
export const reportGone = () =>
  new ApiError(
    410,
    'report_gone',
    'The report was deleted or has expired. GET /api/v1/user-reports lists active reports.',
  );
export const notReportOwner = () =>
  new ApiError(
    403,
    'not_owner',
    'Only the owner of a report or an administrator can delete it. Use the token that created the report.',
  );
export const ownReport = () =>
  new ApiError(
    403,
    'own_report',
    'Votes on your own report are not accepted. Other users can vote on it.',
  );
export const tooManySoundings = (most: number, where = 'The request') =>
  new ApiError(
    413,
    'too_many_soundings',
    `${where} has more than ${most} soundings. Split it into several requests.`,
  );
export const mixedVessels = () =>
  new ApiError(
    400,
    'mixed_vessels',
    'The tracks belong to different vessels, loggers or providers, but a file of this format describes only one. Request one file for each, or use CSV or GPX.',
  );
export const idempotencyKeyReused = () =>
  new ApiError(
    409,
    'idempotency_key_reused',
    'This Idempotency-Key was already used with a different body. Use a new key for a new request.',
  );
export const trackNotFound = () =>
  new ApiError(
    404,
    'track_not_found',
    'You have no track with this id. GET /api/v1/user-reports/bathymetry lists your tracks.',
  );
export const databaseUnavailable = () =>
  new ApiError(
    503,
    'database_unavailable',
    'The database is unavailable, and nothing was changed. Retry in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const heavyWorkUnavailable = () =>
  new ApiError(
    503,
    'heavy_work_unavailable',
    'The service for routes and soundings is unavailable, and nothing was stored. Retry in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
/** The request was not processed. */
export const unavailable = () =>
  new ApiError(
    503,
    'unavailable',
    'The service is starting or stopping, and the request was not processed. Retry in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
/**
 * A write without a response. Endpoints add the id or key to look it up by (`withOutcomeLookup`).
 */
export const outcomeUnknown = () =>
  new ApiError(
    503,
    'outcome_unknown',
    'It is unknown whether the request was carried out. Repeat it with the Idempotency-Key in idempotencyKey, or look up the object in id, whichever this response contains.',
    { headers: { 'retry-after': RETRY_SECONDS } },
  );
export const internalError = () =>
  new ApiError(
    500,
    'internal_error',
    'The service failed; the request did not cause this. Report the requestId of this response to the operator.',
  );
