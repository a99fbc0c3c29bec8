// `publish`, `rollback` and `prune`: words to calls, and what to say. The work is in ../publish.

import { type Command, InvalidArgumentError } from 'commander';
import { type Pruned, pruneBuilds } from '../publish/prune.ts';
import { publishBuild, rollBack } from '../publish/publish.ts';
import { type BucketChoice, withBucket, withBucketOptions } from './bucket-choice.ts';
import type { CommandOutput } from './exit.ts';

interface PruneWords extends BucketChoice {
  readonly keep: number;
  readonly dryRun?: true;
}

export function addPublishCommands(program: Command, output: CommandOutput): void {
  withBucketOptions(program.command('publish'))
    .description('upload a build under its id, check it there, and make it the current one')
    .argument('<folder>', 'what `build --out` wrote')
    .action(async (folder: string, choice: BucketChoice) => {
      const done = await withBucket(choice, (bucket) =>
        publishBuild(folder, bucket, (key) => output.note(`uploaded ${key}`)),
      );
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

  withBucketOptions(program.command('prune'))
    .description('delete old builds from a bucket')
    .requiredOption(
      '--keep <n>',
      'builds that stay, the current one among them; services read the one before for a minute',
      positiveCount,
    )
    .option('--dry-run', 'only say what would be deleted')
    .action(async (words: PruneWords) => {
      const done = await withBucket(words, (bucket) => pruneBuilds(bucket, words));
      output.out(prunedText(done, words.dryRun === true));
    });
}

/** What pruning did or would do, in one sentence. */
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

/** A whole number from 1. @throws InvalidArgumentError, which commander turns into a usage error */
export function positiveCount(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 100_000) return value;
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
