// `charts work`: runs jobs of builds on other machines. The implementation is in ../queue.

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { workerCount } from './build.ts';
import type { CommandOutput } from './exit.ts';
import {
  openStore,
  PACKS_HELP,
  QUEUE_VARIABLE,
  type QueueOptions,
  queueUrlOf,
  withQueueErrors,
} from './queue-choice.ts';

interface WorkOptions extends QueueOptions {
  readonly packs: string;
  readonly cache?: string;
  readonly jobs: number;
}

export function addWorkCommand(program: Command, output: CommandOutput): void {
  program
    .command('work')
    .description('run jobs of builds on other machines until stopped')
    .option('--queue <url>', `PostgreSQL database of the queue (${QUEUE_VARIABLE})`)
    .requiredOption('--packs <place>', PACKS_HELP)
    .option('--cache <folder>', 'folder for files of jobs (default: a temporary folder)')
    .option(
      '--jobs <n>',
      'number of concurrent jobs, 1 to 256',
      workerCount,
      availableParallelism(),
    )
    .addHelpText(
      'after',
      `
Start this command on any number of machines with the same version of the code, and one
\`charts build --queue … --packs …\`. If a process fails, other processes repeat its jobs. The archives are
identical for any number of machines. SIGTERM or SIGINT stops the process at once and returns its jobs to
the queue.`,
    )
    .action((options: WorkOptions) => runWork(options, output));
}

async function runWork(options: WorkOptions, output: CommandOutput): Promise<void> {
  const folder = options.cache ?? join(tmpdir(), `leadline-work-${randomUUID()}`);
  const { workOnQueue } = await import('../queue/work-on-queue.ts');
  const url = queueUrlOf(options);
  try {
    const store = await openStore(options.packs);
    const { jobs } = options;
    const work = await withQueueErrors(() =>
      workOnQueue({ url, store, folder, jobs, note: output.note }),
    );
    const stop = () => void work.stop();
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    output.note(`Running up to ${jobs} jobs of the queue at a time.`);
    await withQueueErrors(() => work.ended);
  } finally {
    if (options.cache === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
