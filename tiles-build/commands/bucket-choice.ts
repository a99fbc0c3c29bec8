// The options of `publish`, `rollback`, `prune` and `sync` that select a bucket.

import { join } from 'node:path';
import type { Command } from 'commander';
import { type Bucket, BucketUnavailable, type FileBucket } from '../publish/bucket.ts';
import { DamagedBuild } from '../publish/build-folder.ts';
import { openFolderBucket, ownFolderProblem } from '../publish/folder-bucket.ts';
import { PruningRefused } from '../publish/prune.ts';
import { NothingToRollBack, UploadRefused } from '../publish/publish.ts';
import { BucketSettingsMissing, r2Settings, s3Settings } from '../publish/s3-settings.ts';
import { openWranglerBucket } from '../publish/wrangler-bucket.ts';
import { CommandEnd, EXIT, type ExitCode } from './exit.ts';

export interface BucketChoice {
  readonly local?: true;
  readonly remote?: true;
  readonly store?: string;
  readonly r2?: string;
  readonly s3?: string;
  readonly endpoint?: string;
  readonly bucket?: string;
  readonly data?: string;
}

const DEFAULT_DATA_FOLDER = '.data';
const UPLOAD_HELP = `
Parts of archives that the bucket has are not uploaded again. If an upload is interrupted, run the
command again to continue it.`;
const WAYS = '--store FOLDER, --r2 BUCKET, --s3 BUCKET, --remote or --local';

/** Add the options to a command, and the environment variables to its help. */
export function withBucketOptions(command: Command, doesUpload = true): Command {
  return command
    .option('--store <folder>', 'folder that a self-hosted service reads')
    .option('--r2 <bucket>', 'R2 bucket, with the S3 API')
    .option('--s3 <bucket>', 'bucket of any S3-compatible service')
    .option('--endpoint <url>', 'with --s3 or --r2, URL of the service, such as https://s3.example')
    .option('--remote', 'R2 bucket, with wrangler and its login: slow for large charts')
    .option('--bucket <name>', 'with --remote, a bucket other than that of production')
    .option('--local', 'charts folder of the service in --data')
    .option(
      '--data <folder>',
      `with --local, data folder of npm start or npm run serve (default: ${DEFAULT_DATA_FOLDER})`,
    )
    .addHelpText(
      'after',
      `
--r2 and --s3 require AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and accept AWS_SESSION_TOKEN.
--r2 also requires CLOUDFLARE_ACCOUNT_ID. --s3 accepts AWS_ENDPOINT_URL_S3 and AWS_REGION.${doesUpload ? UPLOAD_HELP : ''}`,
    );
}

/** Whether an option selects a bucket. */
export const namesBucket = (choice: BucketChoice): boolean => selectedBuckets(choice) > 0;

/**
 * Open the selected bucket, run `work`, and close the bucket.
 *
 * @throws CommandEnd if the options do not select one bucket, or for an expected failure
 */
export async function withBucket<T>(choice: BucketChoice, work: (bucket: Bucket) => Promise<T>) {
  if (selectedBuckets(choice) !== 1)
    throw new CommandEnd(EXIT.usage, `Expected exactly one bucket. Select it with ${WAYS}.`);
  if (choice.endpoint !== undefined && choice.s3 === undefined && choice.r2 === undefined) {
    throw new CommandEnd(
      EXIT.usage,
      '--endpoint requires --s3 or --r2. Add one of them, or remove --endpoint.',
    );
  }
  if (choice.bucket !== undefined && choice.remote === undefined) {
    throw new CommandEnd(
      EXIT.usage,
      '--bucket requires --remote. With --r2 or --s3, name the bucket there.',
    );
  }
  if (choice.data !== undefined && choice.local === undefined)
    throw new CommandEnd(EXIT.usage, '--data requires --local. Add --local, or remove --data.');
  let bucket: Bucket | undefined;
  try {
    bucket = await openBucket(choice);
    return await work(bucket);
  } catch (error) {
    const code = exitCodeOf(error);
    throw code === undefined ? error : new CommandEnd(code, (error as Error).message);
  } finally {
    await bucket?.close();
  }
}

/** @throws CommandEnd if a build is in the folder of the bucket */
export function requireOtherFolder(build: string, choice: BucketChoice): void {
  const folder = choice.store ?? (choice.local && localFolder(choice));
  const problem = folder === undefined ? undefined : ownFolderProblem(build, folder);
  if (problem !== undefined) throw new CommandEnd(EXIT.usage, problem);
}

/** @throws CommandEnd if objects of the bucket cannot be downloaded to files */
export function asFileBucket(bucket: Bucket): FileBucket {
  if ('getFile' in bucket) return bucket as FileBucket;
  throw new CommandEnd(EXIT.usage, 'Expected --store, --r2, --s3 or --local: files must be read.');
}

function selectedBuckets({ local, remote, store, r2, s3 }: BucketChoice): number {
  return [local, remote, store, r2, s3].filter((one) => one !== undefined).length;
}

async function openBucket(choice: BucketChoice): Promise<Bucket> {
  const { store, remote, bucket, r2, s3, endpoint } = choice;
  if (store !== undefined) return openFolderBucket(store);
  if (r2 !== undefined || s3 !== undefined) {
    const settings =
      r2 === undefined
        ? s3Settings(s3 as string, endpoint, process.env)
        : r2Settings(r2, endpoint, process.env);
    // Imported here, because the S3 client is large.
    const { openS3Bucket } = await import('../publish/s3-bucket.ts');
    return openS3Bucket(settings);
  }
  return remote ? openWranglerBucket(['--remote'], bucket) : openFolderBucket(localFolder(choice));
}

const localFolder = ({ data = DEFAULT_DATA_FOLDER }: BucketChoice): string =>
  join(data, 'store', 'charts');

function exitCodeOf(error: unknown): ExitCode | undefined {
  if (error instanceof BucketSettingsMissing) return EXIT.usage;
  if (error instanceof DamagedBuild) return EXIT.damaged;
  if (error instanceof UploadRefused || error instanceof PruningRefused) return EXIT.refused;
  if (error instanceof NothingToRollBack) return EXIT.missing;
  if (error instanceof BucketUnavailable) return EXIT.unavailable;
  return undefined;
}
