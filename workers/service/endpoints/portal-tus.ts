// Resumable uploads of charts by tus 1.0: POST /api/portal/v1/charts/uploads/tus; HEAD, PATCH, DELETE …/{id};
// the same below /api/v1/charts/upload/tus for tokens

import { DataStore, type Locker, Server, Upload } from '@tus/server';
import * as z from 'zod';
import { MAX_CHART_UPLOAD_BYTES, UPLOAD_LIFETIME_MS } from '../../../shared/contract/charts.ts';
import { storePart } from '../charts/upload-store.ts';
import { abandonUpload, appendPiece, readResumable } from '../db/chart-store.ts';
import type { AppContext, Parameter } from '../http/endpoint.ts';
import { badForm } from '../http/read-form.ts';
import { checkEncoding, mediaTypeOf } from '../http/read-json.ts';
import { timelyPieces } from '../http/read-pieces.ts';
import { EXPOSED } from '../http/response-headers.ts';
import { ApiError, bodyTooLarge } from '../runtime/errors.ts';
import type { RefusalCode } from '../runtime/refusals.ts';
import { ID, knownId, missing, TARGET } from './portal-charts.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';
import {
  acceptedName,
  accountOf,
  beginTransfer,
  CHARTS_ACCESS,
  chartUserOf,
  receive,
} from './receive-charts.ts';
import type { UploadPlace } from './upload-places.ts';

const EXTENSIONS = ['creation', 'creation-with-upload', 'expiration', 'termination'];
const CONTENT_TYPE = 'application/offset+octet-stream';
const VERSION = '1.0.0';
const DISCOVERY = {
  ...{ 'tus-version': VERSION, 'tus-extension': EXTENSIONS.join(',') },
  'tus-max-size': `${MAX_CHART_UPLOAD_BYTES}`,
} as const;
const COMMON = {
  'tus-resumable': VERSION,
  'access-control-expose-headers': `${EXPOSED}, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset`,
} as const;
const MAX_METADATA_CHARACTERS = 4096;

/** Uploads in the database and the bucket, for the user of a request. */
class ChartStore extends DataStore {
  readonly #c: AppContext;
  readonly #isPublic: boolean;
  readonly #place: UploadPlace | undefined;
  /** Of the upload, as the client sent it. */
  metadata: string | undefined;
  /** The library replaces some errors. */
  failure: unknown;
  readonly fail = (error: unknown): void => {
    this.failure ??= error;
  };

  constructor(c: AppContext, isPublic: boolean, place: UploadPlace | undefined) {
    super();
    this.extensions = EXTENSIONS;
    this.#c = c;
    this.#place = place;
    this.#isPublic = isPublic;
    this.metadata = c.req.header('upload-metadata');
  }

  override async create(upload: Upload): Promise<Upload> {
    const filename = acceptedName(upload.metadata?.['filename'] ?? '');
    if (upload.size === 0) throw badForm(`The file ${filename} is empty.`);
    const { metadata } = this;
    if ((metadata?.length ?? 0) > MAX_METADATA_CHARACTERS) {
      const message = `Upload-Metadata has more than ${MAX_METADATA_CHARACTERS} characters.`;
      throw new ApiError('bad_tus_request', message);
    }
    const { id, size: length } = upload;
    await beginTransfer(this.#c, { id, isPublic: this.#isPublic, filename, length, metadata });
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const found = await readResumable(this.#c.env, chartUserOf(this.#c), id);
    const { length, offset, updatedAt } = found;
    // A complete upload does not expire.
    const creationMs = offset === length ? Date.now() : updatedAt;
    if (creationMs + UPLOAD_LIFETIME_MS < Date.now()) throw new ApiError('upload_expired');
    this.metadata = found.metadata ?? undefined;
    return new Upload({
      id,
      offset,
      size: length,
      creation_date: new Date(creationMs).toISOString(),
    });
  }

  override async write(bytes: unknown, id: string, start: number): Promise<number> {
    const c = this.#c;
    let offset = start;
    const place = { account: accountOf(c), upload: id, file: 0 };
    const pieces = timelyPieces(withinLength(bytes as AsyncIterable<Uint8Array>));
    const work = storePart(c.env, place, this.#place!.chunks(pieces), async (name, bytes) => {
      await appendPiece(c.env, chartUserOf(c), id, { offset, name, bytes });
      offset += bytes;
    });
    // After a lost connection, the bytes that arrived are still stored.
    c.get('cost').defer(work.catch(this.fail));
    await work;
    return offset;
  }

  override remove(id: string): Promise<void> {
    return abandonUpload(this.#c.env, chartUserOf(this.#c), id);
  }

  override getExpiration(): number {
    return UPLOAD_LIFETIME_MS;
  }
}

/** @throws ApiError 413 if the library finds that the body is too long; errors of the source */
async function* withinLength(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    throw (error as { status_code?: number }).status_code === 413 ? tooLong() : error;
  }
}

const tooLong = () =>
  new ApiError(
    'body_too_large',
    'The body is longer than the rest of the file (Upload-Length minus Upload-Offset). Send only the rest.',
  );

/** The database compares the offset of each piece, also between isolates. */
const NO_LOCK: Locker = { newLock: () => ({ lock: async () => {}, unlock: async () => {} }) };

/** Codes of the responses of the library by status. */
const CODES: Readonly<Record<number, RefusalCode>> = {
  404: 'upload_not_found',
  409: 'upload_offset_conflict',
};

async function problemOf(answer: Response): Promise<ApiError> {
  const text = await answer.text();
  if (answer.status === 413)
    return /^Maximum/.test(text) ? bodyTooLarge(MAX_CHART_UPLOAD_BYTES, 'The file') : tooLong();
  if (answer.status === 500) return new ApiError('internal_error');
  const code = CODES[answer.status];
  if (code !== undefined) return new ApiError(code);
  return new ApiError('bad_tus_request', text.replace(/\W*$/, '.'));
}

/** The request for the library. @throws ApiError 415 */
function protocolRequest(c: AppContext, id: string): Request {
  const { url, body } = c.req.raw;
  // `mount` has compared the header with the method of the endpoint.
  const isOverride = id !== '' && c.req.method === 'POST';
  const method = isOverride ? c.req.header('x-http-method-override')!.toUpperCase() : c.req.method;
  const type = mediaTypeOf(c);
  if (method === 'PATCH' && type !== CONTENT_TYPE) {
    throw new ApiError('unsupported_media_type', `Expected Content-Type: ${CONTENT_TYPE}.`);
  }
  checkEncoding(c);
  const headers = new Headers(c.req.raw.headers);
  headers.set('content-type', type);
  // The library accepts only one value.
  headers.delete('x-forwarded-proto');
  return { method, url, headers, body } as Request;
}

/** Passes a request to the library. @param place of a request that may have a body */
async function answerOf(
  c: AppContext,
  { id = '', isPublic = false },
  place?: UploadPlace,
): Promise<Response> {
  if (c.req.header('tus-resumable') !== VERSION) {
    const headers = { 'tus-version': VERSION };
    throw new ApiError('tus_version_not_supported', undefined, { headers });
  }
  const request = protocolRequest(c, id);
  const store = new ChartStore(c, isPublic, place);
  const server = new Server({
    ...{ path: c.req.path, datastore: store, locker: NO_LOCK, relativeLocation: true },
    ...{ maxSize: MAX_CHART_UPLOAD_BYTES, disableTerminationForFinishedUploads: true },
    namingFunction: () => crypto.randomUUID(),
    getFileIdFromRequest: () => id,
    onResponseError: (_, error) => {
      if (error instanceof Error && !('status_code' in error)) store.fail(error);
      return undefined;
    },
  });
  const answer = await server.handleWeb(request);
  if (answer.status >= 400) throw store.failure ?? (await problemOf(answer));
  const { status, headers } = answer;
  headers.set('cache-control', 'no-store');
  headers.delete('content-type');
  if (request.method === 'HEAD' && store.metadata !== undefined)
    headers.set('upload-metadata', store.metadata);
  return new Response(null, { status, headers });
}

const header = (name: string, description: string, example: string): Parameter => ({
  ...{ in: 'header', name, description, example },
  ...{ schema: z.string(), required: true },
});
const TUS = header('Tus-Resumable', 'Version of the protocol', VERSION);
const BODY = {
  contentType: CONTENT_TYPE,
  schema: z.string().meta({ format: 'binary', description: 'The next bytes of the file' }),
  description: 'The next bytes of the file, from `Upload-Offset`',
  example: 'bytes of harbour.zip',
};
const gone = {
  description: 'The upload was not continued within 24 hours, or was ended',
  error: 'upload_expired',
} as const;
const badRequest = {
  description: 'A header is missing or invalid, or the file is not accepted',
  error: 'bad_tus_request',
} as const;
const badVersion = {
  description: 'The version of the protocol is not supported',
  error: 'tus_version_not_supported',
} as const;

/** @param prefix of the ids of the operations */
function resumable(path: string, prefix: string) {
  const common = {
    ...{ access: CHARTS_ACCESS, optionsHeaders: DISCOVERY },
    ...{ commonHeaders: COMMON, isOverridable: true },
  } as const;
  const one = { ...common, path: `${path}/{id}`, pathParameter: ID } as const;
  const handleOne = (
    { c, id }: { readonly c: AppContext; readonly id: string },
    place?: UploadPlace,
  ) => answerOf(c, { id: knownId(id, 'upload_not_found') }, place);
  return [
    portalEndpoint({
      ...common,
      method: 'post',
      path,
      id: `${prefix}CreateResumableUpload`,
      summary: 'Creates a resumable upload of charts (tus 1.0).',
      description:
        'For large files and bad connections: one file in several requests, with a client for the tus protocol 1.0, such as `tus-js-client`. The limits, accepted files and jobs are those of other uploads. The job starts after the last byte. An upload that is not continued within 24 hours is removed. Extensions: `creation`, `creation-with-upload`, `expiration`, `termination`.',
      query: { target: TARGET },
      headers: [
        TUS,
        header('Upload-Length', 'Length of the file, bytes', '104857'),
        header(
          'Upload-Metadata',
          '`filename` and the name of the file in base64',
          'filename aGFyYm91ci56aXA=',
        ),
      ],
      answers: {
        201: { description: 'The upload; `Location` has its address' },
        400: badRequest,
        409: { description: 'Too many uploads are not processed yet', error: 'uploads_full' },
        412: badVersion,
        413: { description: 'The file is too large', error: 'body_too_large' },
      },
      handle: ({ c, query: { target } }) =>
        receive(c, (place) => answerOf(c, { isPublic: target === 'public' }, place)),
    }),
    portalEndpoint({
      ...one,
      method: 'head',
      id: `${prefix}ReadUploadOffset`,
      summary: 'Returns the number of received bytes in `Upload-Offset`.',
      description: 'Continue the upload at this offset.',
      headers: [TUS],
      answers: {
        200: { description: 'The upload; `Upload-Offset` and `Upload-Length` describe it' },
        404: missing,
        410: gone,
        412: badVersion,
      },
      handle: handleOne,
    }),
    portalEndpoint({
      ...one,
      method: 'patch',
      id: `${prefix}ContinueUpload`,
      summary: 'Adds bytes to a resumable upload.',
      description:
        'If the connection is lost, the received bytes are kept; request their number with HEAD. A request may have the length that the host of the service permits, at the edge 100 MB.',
      headers: [TUS, header('Upload-Offset', 'Number of received bytes', '0')],
      body: BODY,
      answers: {
        204: { description: 'The bytes are stored; `Upload-Offset` is the new offset' },
        400: badRequest,
        404: missing,
        409: { description: 'The offset is wrong', error: 'upload_offset_conflict' },
        410: gone,
        412: badVersion,
      },
      handle: (request) => receive(request.c, (place) => handleOne(request, place)),
    }),
    portalEndpoint({
      ...one,
      method: 'delete',
      id: `${prefix}EndUpload`,
      summary: 'Ends an incomplete resumable upload and deletes its bytes.',
      description: 'A complete upload is deleted as other uploads are.',
      headers: [TUS],
      answers: {
        204: { description: 'The upload has ended' },
        400: { description: 'The upload is complete', error: 'bad_tus_request' },
        404: missing,
        410: gone,
        412: badVersion,
      },
      handle: handleOne,
    }),
  ];
}

export const portalTus = [
  ...resumable(`${PORTAL_PATH}/charts/uploads/tus`, 'portal'),
  ...resumable('/api/v1/charts/upload/tus', 'api'),
];
