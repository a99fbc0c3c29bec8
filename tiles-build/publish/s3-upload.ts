// Multipart uploads of large objects (S3 API: CreateMultipartUpload, UploadPart, ListParts,
// CompleteMultipartUpload). Resumes an interrupted upload without sending its parts again.

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  paginateListParts,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import pMap from 'p-map';
import { unfinishedUploads } from './s3-unfinished.ts';

const MEBIBYTE = 1024 * 1024;
const PART_BYTES = 16 * MEBIBYTE;
/** S3 accepts at most 10,000 parts per object. */
const MAX_PARTS = 10_000;
/** Limits for parts that are being uploaded: total bytes and number. */
const BYTES_UNDER_WAY = 128 * MEBIBYTE;
const PARTS_UNDER_WAY = 6;

export interface PartPlan {
  /** Size of every part except the last one (R2 requires equal sizes). */
  readonly partBytes: number;
  readonly atOnce: number;
}

interface ObjectName {
  readonly Bucket: string;
  readonly Key: string;
}

/** Part size for a file of this length. It is deterministic, so that a later run can resume. */
export function planParts(bytes: number, requested: Partial<PartPlan> = {}): PartPlan {
  const needed = Math.ceil(bytes / MAX_PARTS / MEBIBYTE) * MEBIBYTE;
  const partBytes = requested.partBytes ?? Math.max(PART_BYTES, needed);
  const fitting = Math.max(1, Math.floor(BYTES_UNDER_WAY / partBytes));
  return { partBytes, atOnce: requested.atOnce ?? Math.min(PARTS_UNDER_WAY, fitting) };
}

/**
 * Upload a file in parts, several at a time. Each part is sent with its MD5, so that the service
 * rejects damaged parts.
 *
 * @throws Error of the client after its last attempt
 */
export async function uploadInParts(
  client: S3Client,
  object: ObjectName,
  path: string,
  plan: PartPlan,
): Promise<void> {
  const file = await open(path, 'r');
  try {
    const [latest] = await unfinishedUploads(client, object.Bucket, object.Key, true);
    try {
      const uploadId = latest?.uploadId ?? (await begin(client, object));
      await sendParts(client, { ...object, UploadId: uploadId }, file, plan);
    } catch (error) {
      // The upload to resume was aborted meanwhile: start a new one, once.
      if (latest === undefined || !isGone(error)) throw error;
      await sendParts(client, { ...object, UploadId: await begin(client, object) }, file, plan);
    }
  } finally {
    await file.close();
  }
}

async function begin(client: S3Client, object: ObjectName): Promise<string> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
  if (UploadId === undefined) throw new Error('the service returned no upload id');
  return UploadId;
}

async function sendParts(
  client: S3Client,
  upload: ObjectName & { readonly UploadId: string },
  file: FileHandle,
  { partBytes, atOnce }: PartPlan,
): Promise<void> {
  const { size } = await file.stat();
  const there = await partsThere(client, upload);
  const numbers = Array.from({ length: Math.ceil(size / partBytes) }, (_, i) => i + 1);
  const send = async (PartNumber: number): Promise<CompletedPart> => {
    const body = await readPart(file, (PartNumber - 1) * partBytes, partBytes, size);
    const md5 = createHash('md5').update(body).digest();
    const before = there.get(PartNumber);
    // The ETag of a part is the MD5 of its bytes, except with some kinds of encryption. In that
    // case the part is sent again.
    if (before === `"${md5.toString('hex')}"`) return { PartNumber, ETag: before };
    const { ETag } = await client.send(
      new UploadPartCommand({
        ...upload,
        PartNumber,
        Body: body,
        ContentMD5: md5.toString('base64'),
      }),
    );
    if (ETag === undefined) throw new Error(`the service returned no ETag for part ${PartNumber}`);
    return { PartNumber, ETag };
  };
  const Parts = await pMap(numbers, send, { concurrency: atOnce });
  try {
    await client.send(
      new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }),
    );
  } catch (error) {
    // If only the response was lost, the object is already complete. It is read back in any case.
    if (!isGone(error) || !(await holds(client, upload, size))) throw error;
  }
}

async function partsThere(
  client: S3Client,
  upload: ObjectName & { readonly UploadId: string },
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for await (const page of paginateListParts({ client }, upload)) {
    for (const { PartNumber, ETag } of page.Parts ?? []) {
      if (PartNumber !== undefined && ETag !== undefined) found.set(PartNumber, ETag);
    }
  }
  return found;
}

async function readPart(
  file: FileHandle,
  offset: number,
  partBytes: number,
  size: number,
): Promise<Buffer> {
  const part = Buffer.alloc(Math.min(partBytes, size - offset));
  let filled = 0;
  while (filled < part.length) {
    const { bytesRead } = await file.read(part, filled, part.length - filled, offset + filled);
    if (bytesRead === 0) throw new Error('the archive was truncated during the upload');
    filled += bytesRead;
  }
  return part;
}

async function holds(client: S3Client, { Bucket, Key }: ObjectName, bytes: number) {
  const head = await client.send(new HeadObjectCommand({ Bucket, Key })).catch(() => undefined);
  return head?.ContentLength === bytes;
}

const isGone = (error: unknown): boolean => error instanceof Error && error.name === 'NoSuchUpload';
