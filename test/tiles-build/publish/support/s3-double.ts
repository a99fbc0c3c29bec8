// In-memory S3 service for tests: signatures, MD5s, ETags, part sizes, listing pages and XML errors
// follow S3. A test can inject faults per request.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../../support/listen.ts';
import { signatureFault } from './s3-signature.ts';

/** The fault of a request. */
export type S3Fault =
  | 'none'
  /** 503 SlowDown. */
  | 'slow-down'
  /** The connection breaks in the middle of the request or response body. */
  | 'cut'
  /** The request is executed, but the response is lost. */
  | 'lose-answer'
  /** 403 AccessDenied, which clients do not retry. */
  | 'refuse'
  /** The request is never answered. */
  | 'hang'
  /** One byte of the request body is changed. */
  | 'damage'
  /** 200 with an error in the body, as CompleteMultipartUpload can return. */
  | 'error-in-200';

interface Upload {
  readonly key: string;
  readonly id: string;
  readonly begun: Date;
  readonly parts: Map<number, Buffer>;
}

export interface S3Double {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  readonly uploads: Map<string, Upload>;
  /** Received requests, for example `PUT builds/1/a?partNumber=2`. */
  readonly asked: string[];
  /** Returns the fault of each request, after it was recorded. */
  decide: (request: string) => S3Fault;
  close(): Promise<void>;
}

export const S3_BUCKET = 'charts-of-a-test';
export const S3_KEYS = { id: 'KEYOFATEST', secret: 'secret/of+a/test' };
/** Minimum size of all parts except the last one. S3 and R2 require 5 MiB; tests use less. */
export const SMALLEST_PART = 64 * 1024;
const PAGE = 2;

class Refused extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

export async function openS3Double(): Promise<S3Double> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Upload>();
  const asked: string[] = [];
  let count = 0;

  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://s3');
    const [bucket, ...rest] = decodeURIComponent(url.pathname).slice(1).split('/');
    const key = rest.join('/');
    const seen = url.searchParams;
    const part = seen.has('partNumber') ? `?partNumber=${seen.get('partNumber')}` : '';
    const line = `${request.method} ${key}${part}${seen.has('uploads') ? '?uploads' : ''}`;
    asked.push(line);
    const fault = double.decide(line);
    try {
      const isUpload = request.method === 'PUT';
      if (fault === 'cut' && isUpload) {
        request.once('data', () => request.socket.destroy());
        return;
      }
      const body = await bytesOf(request);
      if (fault === 'hang') return;
      if (fault === 'refuse') throw new Refused(403, 'AccessDenied');
      if (fault === 'slow-down') throw new Refused(503, 'SlowDown');
      if (fault === 'damage') body[0]! ^= 1;
      const isDamaged = fault === 'damage';
      const wrong = isDamaged ? undefined : signatureFault(request, body, S3_KEYS);
      if (wrong !== undefined) throw new Refused(403, wrong);
      if (bucket !== S3_BUCKET) throw new Refused(404, 'NoSuchBucket');
      checkMd5(request, body);
      if (fault === 'error-in-200') {
        answer(
          response,
          200,
          '<Error><Code>InternalError</Code><Message>try again</Message></Error>',
        );
        return;
      }
      const answered = carryOut({ request, key, seen, body });
      if (fault === 'lose-answer') {
        request.socket.destroy();
        return;
      }
      if (Buffer.isBuffer(answered)) sendObject(request, response, answered, fault === 'cut');
      else answer(response, answered.status ?? 200, answered.text ?? '', answered.headers);
    } catch (error) {
      // A killed client sends no more.
      if (request.destroyed && !request.complete) return;
      if (!(error instanceof Refused)) throw error;
      answer(response, error.status, `<Error><Code>${error.message}</Code></Error>`);
    }
  });

  interface Asked {
    readonly request: IncomingMessage;
    readonly key: string;
    readonly seen: URLSearchParams;
    readonly body: Buffer;
  }
  type Answer = Buffer | { status?: number; text?: string; headers?: Record<string, string> };

  function carryOut(one: Asked): Answer {
    const { request, key, seen, body } = one;
    if (seen.has('uploads') || seen.has('uploadId')) return uploadInParts(one);
    if (seen.get('list-type') === '2') return listed(seen);
    if (request.method === 'PUT') {
      objects.set(key, body);
      return { headers: { etag: quotedMd5(body) } };
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    const found = objects.get(key);
    if (found === undefined) throw new Refused(404, 'NoSuchKey');
    if (request.method === 'HEAD') return { headers: { 'content-length': String(found.length) } };
    return found;
  }

  function uploadInParts({ request, key, seen, body }: Asked): Answer {
    const id = seen.get('uploadId');
    if (id === null && request.method === 'POST') {
      const upload = {
        key,
        id: `upload-${++count}`,
        begun: new Date(count * 1000),
        parts: new Map(),
      };
      uploads.set(upload.id, upload);
      return { text: xml('InitiateMultipartUploadResult', `<UploadId>${upload.id}</UploadId>`) };
    }
    if (id === null) return listedUploads(seen);
    const upload = uploads.get(id);
    if (upload === undefined || upload.key !== key) throw new Refused(404, 'NoSuchUpload');
    if (request.method === 'PUT') {
      upload.parts.set(Number(seen.get('partNumber')), body);
      return { headers: { etag: quotedMd5(body) } };
    }
    if (request.method === 'DELETE') {
      uploads.delete(id);
      return { status: 204 };
    }
    if (request.method === 'GET') return listedParts(upload, seen);
    objects.set(key, putTogether(upload, body.toString()));
    uploads.delete(id);
    return { text: xml('CompleteMultipartUploadResult', `<Key>${key}</Key>`) };
  }

  function listed(seen: URLSearchParams): Answer {
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(seen.get('prefix') ?? ''))
      .sort();
    const after = seen.get('continuation-token') ?? '';
    const page = keys.filter((key) => key > after).slice(0, PAGE);
    const isMore = page.length > 0 && page.at(-1) !== keys.at(-1);
    const rows = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    const next = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return { text: xml('ListBucketResult', `<IsTruncated>${isMore}</IsTruncated>${rows}${next}`) };
  }

  function listedUploads(seen: URLSearchParams): Answer {
    const all = [...uploads.values()]
      .filter(({ key }) => key.startsWith(seen.get('prefix') ?? ''))
      .sort((a, b) => (a.key + a.id < b.key + b.id ? -1 : 1));
    const after = (seen.get('key-marker') ?? '') + (seen.get('upload-id-marker') ?? '');
    const page = all.filter(({ key, id }) => key + id > after).slice(0, PAGE);
    const last = page.at(-1);
    const isMore = last !== undefined && last !== all.at(-1);
    const rows = page.map(
      ({ key, id, begun }) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
    );
    const next = isMore
      ? `<NextKeyMarker>${last.key}</NextKeyMarker><NextUploadIdMarker>${last.id}</NextUploadIdMarker>`
      : '';
    const text = `<IsTruncated>${isMore}</IsTruncated>${rows.join('')}${next}`;
    return { text: xml('ListMultipartUploadsResult', text) };
  }

  function listedParts({ parts }: Upload, seen: URLSearchParams): Answer {
    const after = Number(seen.get('part-number-marker') ?? 0);
    const all = [...parts].sort(([a], [b]) => a - b);
    const page = all.filter(([number]) => number > after).slice(0, PAGE);
    const isMore = page.length > 0 && page.at(-1) !== all.at(-1);
    const rows = page.map(
      ([number, bytes]) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>${quotedMd5(bytes)}</ETag><Size>${bytes.length}</Size></Part>`,
    );
    const next = isMore ? `<NextPartNumberMarker>${page.at(-1)![0]}</NextPartNumberMarker>` : '';
    const text = `<IsTruncated>${isMore}</IsTruncated>${rows.join('')}${next}`;
    return { text: xml('ListPartsResult', text) };
  }

  const port = await listen(server);
  const double: S3Double = {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    uploads,
    asked,
    decide: () => 'none',
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return double;
}

/** The object made of the parts, in the order and with the ETags in the request. */
function putTogether({ parts }: Upload, text: string): Buffer {
  const named = [...text.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, inside]) => ({
    number: Number(/<PartNumber>(\d+)/.exec(inside!)?.[1]),
    etag: /<ETag>(.*?)<\/ETag>/s.exec(inside!)?.[1]?.replaceAll('&quot;', '"'),
  }));
  if (named.length === 0) throw new Refused(400, 'MalformedXML');
  const bodies = named.map(({ number, etag }, at) => {
    if (at > 0 && number <= named[at - 1]!.number) throw new Refused(400, 'InvalidPartOrder');
    const body = parts.get(number);
    if (body === undefined || quotedMd5(body) !== etag) throw new Refused(400, 'InvalidPart');
    return body;
  });
  const others = bodies.slice(0, -1);
  if (others.some(({ length }) => length < SMALLEST_PART)) throw new Refused(400, 'EntityTooSmall');
  // R2 requires that all parts except the last one have the same size.
  if (others.some(({ length }) => length !== others[0]!.length))
    throw new Refused(400, 'InvalidPart');
  return Buffer.concat(bodies);
}

function checkMd5(request: IncomingMessage, body: Buffer): void {
  const declared = request.headers['content-md5'];
  if (declared === undefined) return;
  const found = createHash('md5').update(body).digest('base64');
  if (declared !== found) throw new Refused(400, 'BadDigest');
}

function sendObject(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  isCut: boolean,
): void {
  const etag = quotedMd5(bytes);
  const wanted = request.headers['if-match'];
  if (wanted !== undefined && wanted !== etag) throw new Refused(412, 'PreconditionFailed');
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const rest = bytes.subarray(from);
  response.writeHead(from === 0 ? 200 : 206, { 'content-length': rest.length, etag });
  if (isCut) response.write(rest.subarray(0, rest.length >> 1), () => response.destroy());
  else response.end(rest);
}

function answer(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(text);
}

const xml = (name: string, inside: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${name}>${inside}</${name}>`;

const quotedMd5 = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
