// The options of `build` and `work` for a job queue and the store of its files.

import { systemErrorText } from '../../shared/contract/system-error.ts';
import type { BuildPool } from '../pipeline/build-context.ts';
import { BucketSettingsMissing } from '../publish/s3-settings.ts';
import type { PackStore } from '../queue/pack-store.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';

export interface QueueOptions {
  readonly queue?: string;
  readonly packs?: string;
}

/** Environment variable for the connection URL, which contains a password. */
export const QUEUE_VARIABLE = 'LEADLINE_QUEUE_URL';

export const PACKS_HELP =
  'files of jobs: a folder that all machines share, or s3://bucket (keys and URL from AWS_…)';

/** The pool of a build with a queue; `undefined` if the build runs its jobs itself. */
export async function queuePoolOf(
  options: QueueOptions,
  output: CommandOutput,
): Promise<BuildPool | undefined> {
  if (options.queue === undefined && options.packs === undefined) return undefined;
  const { packs } = options;
  if (packs === undefined)
    throw new CommandEnd(
      EXIT.usage,
      '--queue requires --packs. Add --packs with a shared folder or s3://bucket.',
    );
  const url = queueUrlOf(options);
  const { openQueuePool } = await import('../queue/queue-pool.ts');
  const store = await openStore(packs);
  return withQueueErrors(() => openQueuePool({ url, store, onMessage: output.note }));
}

/** @throws CommandEnd if a setting of the store is missing */
export async function openStore(place: string): Promise<PackStore> {
  const { openPackStore } = await import('../queue/pack-store.ts');
  return withQueueErrors(() => openPackStore(place, process.env));
}

/** @throws CommandEnd if no valid URL is set */
export function queueUrlOf({ queue }: QueueOptions): string {
  const url = queue ?? process.env[QUEUE_VARIABLE] ?? '';
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw new CommandEnd(
    EXIT.usage,
    `The queue requires a PostgreSQL URL. Set --queue or ${QUEUE_VARIABLE}, for example postgres://leadline@localhost:5432/queue.`,
  );
}

/**
 * @param advice which options to check
 * @throws CommandEnd if a setting is missing or the queue fails
 */
export async function withQueueErrors<T>(
  work: () => Promise<T>,
  advice = 'Check --queue, --packs and the database.',
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BucketSettingsMissing) throw new CommandEnd(EXIT.usage, error.message);
    const reason = systemErrorText(error) ?? (error instanceof Error ? error.message : error);
    throw new CommandEnd(EXIT.unavailable, `The queue is unavailable. ${advice} Cause: ${reason}`);
  }
}
