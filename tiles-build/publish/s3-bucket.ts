// A bucket with the S3 API, for example R2 or Amazon S3. Large objects are uploaded in parts
// (`s3-upload.ts`). Every object is read back in a stream that resumes after a broken connection.

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { PARTS_PREFIX } from '../../shared/chart/part-line.ts';
import { digestStream } from '../archive/file-digest.ts';
import { BucketUnavailable, type FileBucket } from './bucket.ts';
import { placeFile } from './place-file.ts';
import type { S3Settings } from './s3-settings.ts';
import { abandonUpload, unfinishedUploads } from './s3-unfinished.ts';
import { type PartPlan, planParts, uploadInParts } from './s3-upload.ts';

/** Attempts per request if the service is busy (503 SlowDown) or the connection breaks. */
const TRIES = 6;
/** Maximum number of consecutive broken connections without a received byte. */
const READS_WITHOUT_PROGRESS = 5;
const CONNECT_TIMEOUT_MS = 15_000;
const SILENCE_TIMEOUT_MS = 120_000;

/** Open the bucket. No request is sent before the first call. */
export function openS3Bucket(settings: S3Settings, parts: Partial<PartPlan> = {}): FileBucket {
  const { bucket, endpoint, region, credentials } = settings;
  // Suppresses the client's warning that later versions require Node 22; the version is pinned.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const client = new S3Client({
    region,
    credentials,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: TRIES,
    // Content-MD5 protects uploads and every object is read back. Other services than Amazon's do
    // not support the checksums that the client adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_TIMEOUT_MS },
  });
  const inBucket = (key: string) => ({ Bucket: bucket, Key: key });

  const explainErrors = async <T>(doing: string, ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      throw explained(error, doing, settings);
    }
  };

  const putBytes = (key: string, body: Uint8Array) =>
    explainErrors(`writing ${key}`, async () => {
      const ContentMD5 = createHash('md5').update(body).digest('base64');
      await client.send(new PutObjectCommand({ ...inBucket(key), Body: body, ContentMD5 }));
    });

  /**
   * The bytes of an object, or `undefined` if it does not exist. Resumes after a broken connection.
   */
  const read = async (key: string): Promise<AsyncIterable<Uint8Array> | undefined> => {
    const first = await getFrom(client, inBucket(key), 0);
    return first === undefined ? undefined : readOn(client, inBucket(key), first);
  };

  return {
    digest: (key) =>
      explainErrors(`reading ${key}`, async () => {
        const stream = await read(key);
        return stream === undefined ? undefined : digestStream(stream);
      }),
    readText: (key) =>
      explainErrors(`reading ${key}`, async () => {
        const stream = await read(key);
        if (stream === undefined) return undefined;
        const chunks: Uint8Array[] = [];
        for await (const chunk of stream) chunks.push(chunk);
        return Buffer.concat(chunks).toString();
      }),
    async putFile(key, path, { bytes }) {
      const plan = planParts(bytes, parts);
      if (bytes <= plan.partBytes) return putBytes(key, await readFile(path));
      await explainErrors(`writing ${key}`, () => uploadInParts(client, inBucket(key), path, plan));
    },
    getFile: (key, path) =>
      explainErrors(`reading ${key}`, async () => {
        const stream = await read(key);
        if (stream !== undefined) {
          await placeFile(path, (target) => pipeline(stream, createWriteStream(target)));
        }
        return stream !== undefined;
      }),
    putText: (key, text) => putBytes(key, Buffer.from(text)),
    list: (prefix) =>
      explainErrors(`listing ${prefix}`, async () => {
        const keys: string[] = [];
        const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix });
        for await (const page of pages) {
          for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key);
        }
        return keys;
      }),
    delete: (key) =>
      explainErrors(`deleting ${key}`, async () => {
        await client.send(new DeleteObjectCommand(inBucket(key)));
      }),
    abandonUploads: (isKept) =>
      explainErrors('clearing unfinished uploads', async () => {
        const left = await unfinishedUploads(client, bucket, PARTS_PREFIX);
        const lost = left.filter(({ key }) => !isKept(key));
        for (const upload of lost) await abandonUpload(client, bucket, upload);
        return lost.map(({ key }) => key);
      }),
    close: async () => client.destroy(),
  };
}

interface Opened {
  readonly etag: string | undefined;
  readonly bytes: number;
  readonly body: AsyncIterable<Uint8Array>;
}

async function getFrom(
  client: S3Client,
  object: { Bucket: string; Key: string },
  offset: number,
  etag?: string,
): Promise<Opened | undefined> {
  try {
    const found = await client.send(
      new GetObjectCommand({
        ...object,
        ...(offset === 0 ? {} : { Range: `bytes=${offset}-` }),
        ...(etag === undefined ? {} : { IfMatch: etag }),
      }),
    );
    return {
      etag: found.ETag,
      bytes: found.ContentLength ?? 0,
      body: found.Body as unknown as AsyncIterable<Uint8Array>,
    };
  } catch (error) {
    if (nameOf(error) === 'NoSuchKey' || nameOf(error) === 'NotFound') return undefined;
    throw error;
  }
}

async function* readOn(
  client: S3Client,
  object: { Bucket: string; Key: string },
  first: Opened,
): AsyncGenerator<Uint8Array> {
  let part: Opened | undefined = first;
  let offset = 0;
  let triesLeft = READS_WITHOUT_PROGRESS;
  for (;;) {
    let broken: unknown;
    try {
      for await (const chunk of part.body) {
        offset += chunk.length;
        triesLeft = READS_WITHOUT_PROGRESS;
        yield chunk;
      }
    } catch (error) {
      broken = error;
    }
    if (offset >= first.bytes) return;
    if (triesLeft-- === 0) throw broken ?? new Error('the object is shorter than announced');
    part = await getFrom(client, object, offset, first.etag);
    if (part === undefined) throw new Error('the object was deleted while it was being read');
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** Convert an error of the client to a message without headers, keys or signatures. */
function explained(error: unknown, doing: string, { bucket, endpoint }: S3Settings): Error {
  const at = `${endpoint ?? 'S3'}, bucket ${bucket}`;
  const name = nameOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const advice =
    name === 'NoSuchBucket'
      ? 'the bucket does not exist'
      : /^(InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|Forbidden|Unauthorized)$/.test(
            name,
          )
        ? `the service rejected the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (${name})`
        : name === '' || name === 'Error'
          ? message
          : `${name}: ${message}`;
  return new BucketUnavailable(`${at}: ${doing} failed: ${advice}`);
}
