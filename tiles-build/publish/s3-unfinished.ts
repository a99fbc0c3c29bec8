// Unfinished multipart uploads, to resume or to abort. The bucket keeps and charges for their parts
// until then.

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

/**
 * Unfinished uploads of the keys with a prefix, or of one key if `exactly` is set; latest first.
 */
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

/** Abort an upload and free its parts. Does nothing if the upload no longer exists. */
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
