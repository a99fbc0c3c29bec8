// `charts work`: runs jobs of builds on other machines. The implementation is in ../queue.

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { workerCount } from './build.ts';
import { minutes } from './crowd.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';
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
  readonly crowdEvery?: number;
}

/** Environment variable with the arguments of `charts crowd`, separated by spaces. */
const CROWD_VARIABLE = 'LEADLINE_CROWD';
const MS_PER_MINUTE = 60_000;

/** @param run runs another command */
export function addWorkCommand(
  program: Command,
  output: CommandOutput,
  run: (args: readonly string[]) => Promise<number>,
): void {
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
    .option(
      '--crowd-every <minutes>',
      `also run charts crowd at this interval, with the arguments in ${CROWD_VARIABLE}; usually 60`,
      minutes,
    )
    .addHelpText(
      'after',
      `
Start this command on any number of machines with the same version of the code, and one
\`charts build --queue … --packs …\`. If a process fails, other processes repeat its jobs. The archives are
identical for any number of machines. SIGTERM or SIGINT stops the process at once and returns its jobs to
the queue.`,
    )
    .action((options: WorkOptions) => runWork(options, output, run));
}

/** Runs `charts crowd` at once and then at an interval, never twice at a time. @returns stops it */
function repeatCrowd(every: number, run: (args: readonly string[]) => Promise<number>): () => void {
  const args = (process.env[CROWD_VARIABLE] ?? '').split(' ').filter((one) => one !== '');
  if (args.length === 0)
    throw new CommandEnd(
      EXIT.usage,
      `--crowd-every requires the arguments of charts crowd in ${CROWD_VARIABLE}, such as "--state crowd --store published".`,
    );
  let isRunning = false;
  const start = async () => {
    if (isRunning) return;
    isRunning = true;
    // A failure is reported by the command; the next interval tries again.
    await run(['crowd', ...args]);
    isRunning = false;
  };
  void start();
  const timer = setInterval(() => void start(), every * MS_PER_MINUTE);
  return () => clearInterval(timer);
}

async function runWork(
  options: WorkOptions,
  output: CommandOutput,
  run: (args: readonly string[]) => Promise<number>,
): Promise<void> {
  const folder = options.cache ?? join(tmpdir(), `leadline-work-${randomUUID()}`);
  const { workOnQueue } = await import('../queue/work-on-queue.ts');
  const url = queueUrlOf(options);
  const { crowdEvery } = options;
  const endCrowd = crowdEvery === undefined ? undefined : repeatCrowd(crowdEvery, run);
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
    endCrowd?.();
    if (options.cache === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
