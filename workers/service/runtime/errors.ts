// Every refusal the service can answer, as named factories with a stable code, and the one body
// shape they all have (RFC 9457, with a plain `error` text for simple clients).

import type { RefusalCode } from './refusals.ts';

/** A refusal on its way to the client. */
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

/** One field's fault; the value itself is never echoed. */
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

/** A refusal as it is sent, by whatever server. */
interface ProblemParts {
  readonly status: number;
  /** Lower-case names. Never stored by anybody. */
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

/** The answer for a refusal. */
export function errorResponse(error: ApiError, requestId: string): Response {
  const { status, headers, text } = problemParts(error, requestId);
  return new Response(text, { status, headers });
}

export const secretTokenRequired = () =>
  new ApiError(
    403,
    'secret_token_required',
    'externalUserId needs a secret token; a public token gets a user token without it.',
  );
export const userTokenRequired = () =>
  new ApiError(
    403,
    'user_token_required',
    'With a public token, only the end user who made a report may delete it: send the user token of POST /api/v1/user-tokens in the header Leadline-User.',
  );
export const planRequired = () =>
  new ApiError(
    403,
    'plan_required',
    'This address needs the enterprise plan, and the account has the standard plan. Ask the operator of the service.',
  );
export const pilotRequired = () =>
  new ApiError(
    403,
    'pilot_required',
    'This address is for pilot customers, and the token is not for one. Ask the operator of the service.',
  );
export const notFound = () =>
  new ApiError(404, 'not_found', 'There is nothing at this address. /docs lists all addresses.');
export const methodNotAllowed = (allowed: readonly string[]) =>
  new ApiError(
    405,
    'method_not_allowed',
    `This address does not take that method. It takes ${allowed.join(', ')}.`,
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
export const noChartData = () => new ApiError(404, 'no_chart_data', 'No chart covers this tile.');
export const noChartsInRegion = () =>
  new ApiError(
    404,
    'no_chart_data',
    'The charts hold nothing within this box. Ask for another box.',
  );
export const regionTooLarge = (limitBytes: number, bytes?: number) =>
  new ApiError(
    413,
    'region_too_large',
    `A region may have ${limitBytes} bytes here${bytes === undefined ? '' : `, this one would have ${bytes}`}. Ask for a smaller box or a smaller maxZoom; whoever runs the service makes larger ones with charts extract.`,
    { members: { limitBytes, ...(bytes === undefined ? {} : { bytes }) } },
  );
export const deltaTooLarge = (limitBytes: number) =>
  new ApiError(
    413,
    'region_too_large',
    `The two files have more than ${limitBytes} bytes together, which are not compared here. Take the whole region.`,
    { members: { limitBytes } },
  );
export const regionChanged = (etag: string) =>
  new ApiError(
    412,
    'region_changed',
    'The charts have changed since the file that If-Match names. Fetch it from the start, or ask for the delta.',
    { headers: { etag } },
  );
export const regionNotKnown = () =>
  new ApiError(
    404,
    'region_not_known',
    '`from` names a file of another box, or of a build that is no longer kept. Fetch the whole region.',
  );
export const rangeNotSatisfiable = (bytes: number) =>
  new ApiError(416, 'range_not_satisfiable', `The file has ${bytes} bytes.`, {
    headers: { 'content-range': `bytes */${bytes}` },
  });
export const bodyTooLarge = (limitBytes: number, what = 'The body') =>
  new ApiError(
    413,
    'body_too_large',
    `${what} is larger than ${limitBytes} bytes. Send less in one request.`,
  );
export const requestTimeout = () =>
  new ApiError(
    408,
    'request_timeout',
    'The body arrived too slowly, and nothing was done. Send it again.',
  );
export const incompleteBody = () =>
  new ApiError(
    400,
    'incomplete_body',
    'The body ended early, and nothing was done. Send it again.',
  );
export const tooManyValues = (most: number) =>
  new ApiError(
    413,
    'too_many_values',
    `The body has more than ${most} values. Send less in one request.`,
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
    'Too many requests of this kind are running for this token or account. Wait until one has ended.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const limitsUnavailable = () =>
  new ApiError(
    503,
    'limits_unavailable',
    'Requests cannot be counted right now, and nothing was done. Send it again in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const chartsUnavailable = () =>
  new ApiError(
    503,
    'charts_unavailable',
    'The charts cannot be read right now. Try again in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const tokensUnavailable = () =>
  new ApiError(
    503,
    'tokens_unavailable',
    'Tokens cannot be verified right now. Try again in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const artworkUnavailable = () =>
  new ApiError(
    503,
    'artwork_unavailable',
    'Symbols and fonts cannot be read right now. Try again in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const rasterUnavailable = () =>
  new ApiError(
    503,
    'raster_unavailable',
    'The picture cannot be drawn right now. Try again in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
export const styleNotFound = () =>
  new ApiError(
    404,
    'style_not_found',
    'The account of this token has no such saved style. GET /api/portal/v1/styles lists those it has.',
  );
export const styleNameTaken = () =>
  new ApiError(
    409,
    'style_name_taken',
    'Another saved style of this account has this name. Choose another name, or replace that style.',
  );
export const tooManyStyles = (most: number) =>
  new ApiError(
    409,
    'too_many_styles',
    `The account has ${most} saved styles already, which is the most. Delete one first.`,
  );
export const reportExists = (owned: boolean) =>
  new ApiError(
    409,
    'report_exists',
    'A report with this id exists already. Choose another id, or leave it out.',
    {
      members: owned ? { owned } : {},
    },
  );
export const reportNotFound = () =>
  new ApiError(404, 'report_not_found', 'There is no report with this id.');
export const reportGone = () =>
  new ApiError(410, 'report_gone', 'The report was deleted or has expired.');
export const notReportOwner = () =>
  new ApiError(403, 'not_owner', 'Only its owner or an administrator may delete a report.');
export const ownReport = () =>
  new ApiError(403, 'own_report', 'A vote on one’s own report is not accepted here.');
export const tooManySoundings = (most: number, where = 'The request') =>
  new ApiError(
    413,
    'too_many_soundings',
    `${where} has more than ${most} soundings. Ask for or send fewer at once.`,
  );
export const mixedVessels = () =>
  new ApiError(
    400,
    'mixed_vessels',
    'The tracks are of different vessels, loggers or providers, and a file of this kind has room for one. Ask for a file for each, or for CSV or GPX.',
  );
export const idempotencyKeyReused = () =>
  new ApiError(
    409,
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
  );
export const trackNotFound = () =>
  new ApiError(404, 'track_not_found', 'The sender of this token has no track with this id.');
export const databaseUnavailable = () =>
  new ApiError(
    503,
    'database_unavailable',
    'The database cannot be reached right now, and nothing was done. Try again in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
/** Nothing was kept of it: it may be asked again. */
export const heavyWorkUnavailable = () =>
  new ApiError(
    503,
    'heavy_work_unavailable',
    'This cannot be computed right now, and nothing was kept. Try again in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
/** Nothing was begun. */
export const unavailable = () =>
  new ApiError(
    503,
    'unavailable',
    'The service is starting or stopping. Try again in a few seconds.',
    {
      headers: { 'retry-after': RETRY_SECONDS },
    },
  );
/** A write whose answer did not arrive. Endpoints add by what the client can ask (`withOutcomeLookup`). */
export const outcomeUnknown = () =>
  new ApiError(
    503,
    'outcome_unknown',
    'It is not known whether this was done. Send the same request again with the key that this answer names, or ask for the object that it names.',
    { headers: { 'retry-after': RETRY_SECONDS } },
  );
export const internalError = () =>
  new ApiError(
    500,
    'internal_error',
    'The service failed, and the request is not at fault. Report the requestId of this answer to the operator.',
  );
