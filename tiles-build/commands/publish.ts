// `charts publish`, `rollback` and `prune`. The implementation is in ../publish.

import { type Command, InvalidArgumentError } from 'commander';
import { type Pruned, pruneBuilds } from '../publish/prune.ts';
import { publishBuild, rollBack } from '../publish/publish.ts';
import {
  type BucketChoice,
  requireOtherFolder,
  withBucket,
  withBucketOptions,
} from './bucket-choice.ts';
import type { CommandOutput } from './exit.ts';

interface PruneOptions extends BucketChoice {
  readonly keep: number;
  readonly dryRun?: true;
}

export function addPublishCommands(program: Command, output: CommandOutput): void {
  withBucketOptions(program.command('publish'))
    .description('upload a build, verify the upload, and make the build current')
    .argument('<folder>', 'folder of a build, from charts build --out')
    .action(async (folder: string, choice: BucketChoice) => {
      requireOtherFolder(folder, choice);
      const result = await withBucket(choice, (bucket) =>
        publishBuild(folder, bucket, { report: (key) => output.note(`uploaded ${key}`) }),
      );
      output.out(
        result.pointerMoved
          ? `Build ${result.buildId} is current now.`
          : `Build ${result.buildId} was current already.`,
      );
    });

  withBucketOptions(program.command('rollback'), false)
    .description('make the previous build current again')
    .option('--to <buildId>', 'id of an older build that was current (default: the previous one)')
    .action(async (choice: BucketChoice & { readonly to?: string }) => {
      const result = await withBucket(choice, (bucket) => rollBack(bucket, choice.to));
      output.out(`Build ${result.to} is current again, instead of ${result.from}.`);
    });

  withBucketOptions(program.command('prune'), false)
    .description(
      'delete old builds from a bucket; not with --remote, which cannot list the charts of accounts',
    )
    .requiredOption(
      '--keep <n>',
      'number of builds to keep, including the current one; services read the previous one for a minute',
      positiveCount,
    )
    .option('--dry-run', 'only list what would be deleted')
    .action(async (options: PruneOptions) => {
      const result = await withBucket(options, (bucket) => pruneBuilds(bucket, options));
      output.out(prunedText(result, options.dryRun === true));
    });
}

/** A summary of the deleted builds. */
export function prunedText(done: Pruned, isDryRun: boolean): string {
  const builds = done.removed.length === 1 ? '1 build' : `${done.removed.length} builds`;
  const uploads =
    done.abandonedUploads === 0 ? '' : ` and ${done.abandonedUploads} unfinished uploads`;
  const names = done.removed.length === 0 ? '' : `: ${done.removed.join(', ')}`;
  return (
    `${builds} (${done.objects} objects)${uploads} ${isDryRun ? 'would be' : 'were'} deleted` +
    `${names}. ${done.kept.length} kept.`
  );
}

/** Parse a whole number from 1. @throws InvalidArgumentError, which commander turns into a usage error */
export function positiveCount(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 100_000) return value;
  throw new InvalidArgumentError('Expected a whole number from 1 to 100000.');
}
