// `work`: jobs of builds that run elsewhere. The work is in ../queue.

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { workerCount } from './build.ts';
import type { CommandOutput } from './exit.ts';
import {
  addressOf,
  explained,
  openStore,
  PACKS_HELP,
  QUEUE_VARIABLE,
  type QueueWords,
} from './queue-choice.ts';

interface WorkWords extends QueueWords {
  readonly packs: string;
  readonly cache?: string;
  readonly jobs: number;
}

export function addWorkCommand(program: Command, output: CommandOutput): void {
  program
    .command('work')
    .description('do jobs of builds that run elsewhere, until it is stopped')
    .option('--queue <url>', `PostgreSQL database of the queue; or ${QUEUE_VARIABLE}`)
    .requiredOption('--packs <place>', PACKS_HELP)
    .option('--cache <folder>', 'keeps files of jobs; by default a folder that goes in the end')
    .option('--jobs <n>', 'jobs at a time', workerCount, availableParallelism())
    .addHelpText(
      'after',
      `
Start any number of these, on any number of machines with the same version of the code, and one
\`charts build --queue … --packs …\`. A process that dies loses nothing: what it had begun is done by
another. The archives are the same bytes, whoever made them. SIGTERM or SIGINT ends it
at once: the jobs under way go back to the queue, and other processes do them.`,
    )
    .action((words: WorkWords) => runWork(words, output));
}

async function runWork(words: WorkWords, output: CommandOutput): Promise<void> {
  const folder = words.cache ?? join(tmpdir(), `leadline-work-${randomUUID()}`);
  const { workOnQueue } = await import('../queue/work-on-queue.ts');
  const url = addressOf(words);
  try {
    const store = await openStore(words.packs);
    const { jobs } = words;
    const work = await explained(() =>
      workOnQueue({ url, store, folder, jobs, note: output.note }),
    );
    const stop = () => void work.stop();
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    output.note(`Working on the queue, ${jobs} jobs at a time.`);
    await explained(() => work.ended);
  } finally {
    if (words.cache === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
