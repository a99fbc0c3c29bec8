// Which bucket a command works on: options that `publish`, `rollback`, `prune` and `sync` share.

import { join } from 'node:path';
import type { Command } from 'commander';
import { type Bucket, BucketUnavailable } from '../publish/bucket.ts';
import { DamagedBuild } from '../publish/build-folder.ts';
import { openFolderBucket } from '../publish/folder-bucket.ts';
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
  readonly data: string;
}

const DEFAULT_DATA_FOLDER = '.data';
const WAYS = '--store FOLDER, --r2 BUCKET, --s3 BUCKET, --remote or --local';

/** Give a command the options, and what the environment has to hold. */
export function withBucketOptions(command: Command): Command {
  return command
    .option('--store <folder>', 'a plain folder, as a self-hosted service reads it')
    .option('--r2 <bucket>', 'a bucket of R2 through its S3 API: archives of any size')
    .option('--s3 <bucket>', 'a bucket of any service that speaks S3')
    .option('--endpoint <url>', 'with --s3 or --r2, the address of the service')
    .option('--remote', 'R2 by way of wrangler and its login: archives up to 300 MiB')
    .option('--bucket <name>', 'with --remote, another bucket than that of production')
    .option('--local', 'the charts folder of the service in --data')
    .option(
      '--data <folder>',
      'with --local, the data folder of npm start or npm run serve',
      DEFAULT_DATA_FOLDER,
    )
    .addHelpText(
      'after',
      `
--r2 and --s3 take their keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (AWS_SESSION_TOKEN where
there is one). --r2 also needs CLOUDFLARE_ACCOUNT_ID; --s3 looks at AWS_ENDPOINT_URL_S3 and AWS_REGION.
Large archives go up in parts, several at once; after a kill, the same command sends what is missing.`,
    );
}

/** Whether any bucket was named. */
export const namesBucket = (choice: BucketChoice): boolean => waysNamed(choice) > 0;

/**
 * Open the bucket that was chosen, work on it, and close it.
 *
 * @throws CommandEnd for wrong choices, and for what publishing refuses
 */
export async function withBucket<T>(choice: BucketChoice, work: (bucket: Bucket) => Promise<T>) {
  if (waysNamed(choice) !== 1) throw new CommandEnd(EXIT.usage, `Say which bucket: ${WAYS}.`);
  if (choice.endpoint !== undefined && choice.s3 === undefined && choice.r2 === undefined) {
    throw new CommandEnd(EXIT.usage, '--endpoint goes with --s3 or --r2.');
  }
  let bucket: Bucket | undefined;
  try {
    bucket = await openChosen(choice);
    return await work(bucket);
  } catch (error) {
    const code = exitCodeOf(error);
    throw code === undefined ? error : new CommandEnd(code, (error as Error).message);
  } finally {
    await bucket?.close();
  }
}

function waysNamed({ local, remote, store, r2, s3 }: BucketChoice): number {
  return [local, remote, store, r2, s3].filter((one) => one !== undefined).length;
}

async function openChosen(choice: BucketChoice): Promise<Bucket> {
  const { store, remote, bucket, data, r2, s3, endpoint } = choice;
  if (store !== undefined) return openFolderBucket(store);
  if (r2 !== undefined || s3 !== undefined) {
    const settings =
      r2 === undefined
        ? s3Settings(s3 as string, endpoint, process.env)
        : r2Settings(r2, endpoint, process.env);
    // The client is large, and only needed here.
    const { openS3Bucket } = await import('../publish/s3-bucket.ts');
    return openS3Bucket(settings);
  }
  return remote
    ? openWranglerBucket(['--remote'], bucket)
    : openFolderBucket(join(data, 'store', 'charts'));
}

function exitCodeOf(error: unknown): ExitCode | undefined {
  if (error instanceof BucketSettingsMissing) return EXIT.usage;
  if (error instanceof DamagedBuild) return EXIT.damaged;
  if (error instanceof UploadRefused) return EXIT.refused;
  if (error instanceof NothingToRollBack) return EXIT.missing;
  if (error instanceof BucketUnavailable) return EXIT.unavailable;
  return undefined;
}
