// Where the jobs of a build go, and by which way their files: options that `build` and `work` share.

import type { BuildPool } from '../pipeline/build-context.ts';
import { BucketSettingsMissing } from '../publish/s3-settings.ts';
import type { PackStore } from '../queue/pack-store.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';

/** Where jobs go, and by which way their files. */
export interface QueueWords {
  readonly queue?: string;
  readonly packs?: string;
}

/** Where the address of the database is looked for, which holds a password. */
export const QUEUE_VARIABLE = 'LEADLINE_QUEUE_URL';

export const PACKS_HELP =
  'where all machines find the files of jobs: a folder, or s3://bucket (keys and address from AWS_…)';

/** The pool of a build that gives its jobs away; undefined where it does them itself. */
export async function queuePoolOf(
  words: QueueWords,
  output: CommandOutput,
): Promise<BuildPool | undefined> {
  if (words.queue === undefined && words.packs === undefined) return undefined;
  const { packs } = words;
  if (packs === undefined) throw new CommandEnd(EXIT.usage, '--queue goes with --packs.');
  const url = addressOf(words);
  const { openQueuePool } = await import('../queue/queue-pool.ts');
  const store = await openStore(packs);
  return explained(() => openQueuePool({ url, store, note: output.note }));
}

/** @throws CommandEnd where the environment lacks what the store needs */
export async function openStore(place: string): Promise<PackStore> {
  const { openPackStore } = await import('../queue/pack-store.ts');
  return explained(() => openPackStore(place, process.env));
}

/** @throws CommandEnd where no address is named */
export function addressOf({ queue }: QueueWords): string {
  const url = queue ?? process.env[QUEUE_VARIABLE] ?? '';
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw new CommandEnd(
    EXIT.usage,
    `Say where the queue is: --queue postgres://…, or ${QUEUE_VARIABLE}.`,
  );
}

/** @throws CommandEnd for what the machine lacks, or cannot reach */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BucketSettingsMissing) throw new CommandEnd(EXIT.usage, error.message);
    const said =
      error instanceof Error ? error.message || (error as { code?: string }).code : error;
    throw new CommandEnd(EXIT.unavailable, `The queue cannot be reached: ${said}`);
  }
}
