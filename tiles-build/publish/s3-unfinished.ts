// Uploads in parts that were begun and never put together: what a killed one left, to go on with or
// to clear away. A bucket keeps their parts, and they cost, until then.

import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';

interface UnfinishedUpload {
  readonly key: string;
  readonly uploadId: string;
  /** Epoch milliseconds. */
  readonly begunAt: number;
}

/** Those of the keys below a prefix, or of one key alone where `exactly`; the latest first. */
export async function unfinishedUploads(
  client: S3Client,
  bucket: string,
  prefix: string,
  exactly = false,
): Promise<readonly UnfinishedUpload[]> {
  const found: UnfinishedUpload[] = [];
  let after: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (;;) {
    const page = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...after }),
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Key === undefined || UploadId === undefined || (exactly && Key !== prefix)) continue;
      found.push({ key: Key, uploadId: UploadId, begunAt: Initiated?.getTime() ?? 0 });
    }
    if (page.IsTruncated !== true || page.NextKeyMarker === undefined) break;
    after = {
      KeyMarker: page.NextKeyMarker,
      ...(page.NextUploadIdMarker === undefined ? {} : { UploadIdMarker: page.NextUploadIdMarker }),
    };
  }
  return found.sort((a, b) => b.begunAt - a.begunAt);
}

/** End one, and free what it had sent. One that is gone already is no error. */
export async function abandonUpload(
  client: S3Client,
  bucket: string,
  { key, uploadId }: UnfinishedUpload,
): Promise<void> {
  try {
    await client.send(
      new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId }),
    );
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NoSuchUpload') throw error;
  }
}
