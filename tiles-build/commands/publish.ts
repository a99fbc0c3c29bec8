// `publish` and `rollback`: which bucket, and what to say. The work is in ../publish.

import type { Command } from 'commander';
import type { Bucket } from '../publish/bucket.ts';
import { DamagedBuild } from '../publish/build-folder.ts';
import { openFolderBucket } from '../publish/folder-bucket.ts';
import { openLocalBucket } from '../publish/local-bucket.ts';
import { NothingToRollBack, publishBuild, rollBack, UploadRefused } from '../publish/publish.ts';
import { openWranglerBucket } from '../publish/wrangler-bucket.ts';
import { CommandEnd, type CommandOutput, EXIT, type ExitCode } from './exit.ts';

interface BucketChoice {
  readonly local?: true;
  readonly remote?: true;
  readonly store?: string;
  readonly bucket?: string;
  readonly data: string;
}

const DEFAULT_DATA_FOLDER = '.data';

export function addPublishCommands(program: Command, output: CommandOutput): void {
  withBucketOptions(program.command('publish'))
    .description('upload a build under its id, check it there, and make it the current one')
    .argument('<folder>', 'what `build --out` wrote')
    .action(async (folder: string, choice: BucketChoice) => {
      const done = await withBucket(choice, (bucket) => publishBuild(folder, bucket));
      for (const key of done.uploaded) output.note(`uploaded ${key}`);
      output.out(
        done.pointerMoved
          ? `Build ${done.buildId} is current now.`
          : `Build ${done.buildId} was current already.`,
      );
    });

  withBucketOptions(program.command('rollback'))
    .description('make the build current again that was so before')
    .option('--to <buildId>', 'an older build that was current, instead of the one before')
    .action(async (choice: BucketChoice & { readonly to?: string }) => {
      const done = await withBucket(choice, (bucket) => rollBack(bucket, choice.to));
      output.out(`Build ${done.to} is current again, instead of ${done.from}.`);
    });
}

function withBucketOptions(command: Command): Command {
  return command
    .option('--local', 'the bucket of this machine’s runtime')
    .option('--remote', 'the bucket of the account that wrangler is logged in to')
    .option('--store <folder>', 'a plain folder, as a self-hosted service reads it')
    .option('--bucket <name>', 'with --remote, another bucket than that of production')
    .option('--data <folder>', 'where the local state is kept', DEFAULT_DATA_FOLDER);
}

async function withBucket<T>(choice: BucketChoice, work: (bucket: Bucket) => Promise<T>) {
  const named = [choice.local, choice.remote, choice.store].filter((one) => one !== undefined);
  if (named.length !== 1) {
    throw new CommandEnd(EXIT.usage, 'Say which bucket: --local, --remote or --store FOLDER.');
  }
  const bucket = await openChosen(choice);
  try {
    return await work(bucket);
  } catch (error) {
    const code = exitCodeOf(error);
    throw code === undefined ? error : new CommandEnd(code, (error as Error).message);
  } finally {
    await bucket.close();
  }
}

async function openChosen({ store, remote, bucket, data }: BucketChoice): Promise<Bucket> {
  if (store !== undefined) return openFolderBucket(store);
  return remote ? openWranglerBucket(['--remote'], bucket) : openLocalBucket(data);
}

function exitCodeOf(error: unknown): ExitCode | undefined {
  if (error instanceof DamagedBuild) return EXIT.damaged;
  if (error instanceof UploadRefused) return EXIT.refused;
  if (error instanceof NothingToRollBack) return EXIT.missing;
  return undefined;
}
