// `charts work`: runs jobs of builds on other machines (../queue), or jobs of uploads (../uploads).

import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { MAIL_SETTINGS, readMailSettings } from '../../shared/contract/mail-settings.ts';
import type { MailWork } from '../mail/send-mails.ts';
import {
  asFileBucket,
  type BucketChoice,
  namesBucket,
  withBucket,
  withBucketOptions,
} from './bucket-choice.ts';
import { workerCount } from './build.ts';
import { minutes } from './crowd.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';
import { producersOf, type RunCommand, SYNC_VARIABLE } from './producers.ts';
import {
  openStore,
  PACKS_HELP,
  QUEUE_VARIABLE,
  type QueueOptions,
  queueUrlOf,
  withQueueErrors,
} from './queue-choice.ts';
import { keysOption, licenceDateOption, licensingOf, type S63Options } from './s63-options.ts';

interface WorkOptions extends QueueOptions, BucketChoice, S63Options {
  readonly database?: string;
  readonly enc?: readonly string[];
  readonly background?: string;
  readonly cache?: string;
  readonly reuse?: string;
  readonly jobs: number;
  readonly crowdEvery?: number;
  readonly licensed?: true;
}

/** Environment variable for the connection URL of the service's database, with its login. */
const DATABASE_VARIABLE = 'DATABASE_URL';
const DATABASE_ADVICE = `Check --database or ${DATABASE_VARIABLE}, and the database.`;
/** Environment variable with the arguments of `charts crowd`, separated by spaces. */
const CROWD_VARIABLE = 'LEADLINE_CROWD';
/** Environment variable that sets `--licensed` if it is `on`. */
const LICENSED_VARIABLE = 'LEADLINE_S63_LICENSED';
const MS_PER_MINUTE = 60_000;

/** @param run runs another command */
export function addWorkCommand(program: Command, output: CommandOutput, run: RunCommand): void {
  withBucketOptions(program.command('work'))
    .description('run jobs of builds on other machines, or jobs of uploads, until stopped')
    .option('--queue <url>', `PostgreSQL database of the queue (${QUEUE_VARIABLE})`)
    .option('--packs <place>', PACKS_HELP)
    .option(
      '--database <url>',
      `with a bucket, PostgreSQL database of the service (${DATABASE_VARIABLE})`,
    )
    .option('--enc <path...>', 'with a bucket, files, folders and zips of the public cells')
    .option('--background <folder>', 'with a bucket, background of the public charts')
    .option('--cache <folder>', 'folder for files of jobs (default: a temporary folder)')
    .option(
      '--reuse <folder>',
      'with a bucket, cache of the build of the public charts, usually its folder .cache',
    )
    .option(
      '--jobs <n>',
      'number of concurrent jobs, 1 to 256',
      workerCount,
      availableParallelism(),
    )
    .option(
      '--crowd-every <minutes>',
      `also run charts crowd at this interval, with the arguments in ${CROWD_VARIABLE}, for example "--state crowd --store published"; usually 60`,
      minutes,
    )
    .option(
      '--licensed',
      `with a bucket, accept encrypted (S-63) charts of accounts: their licences permit tiles (${LICENSED_VARIABLE}=on)`,
    )
    .addOption(keysOption())
    .addOption(licenceDateOption())
    .addHelpText(
      'after',
      `
Start this command on any number of machines, and \`charts build --queue … --packs …\` on one. All must
have the same version of the code. If a process fails, other processes repeat its jobs. The archives are
identical for any number of machines. SIGTERM or SIGINT stops the process at once and returns its jobs to
the queue.

With a bucket, for example --store, the command runs the jobs of uploads instead: it checks uploaded
cells and publishes the charts of their account. Start it on any machine with the same --enc and
--background that the public charts were built from. \`npm start\` and \`npm run serve\` start it themselves.

To refresh the public charts from producers, set LEADLINE_SYNC to the arguments of charts sync, for example
"--cells sources --state WA"; several producers are separated by semicolons. Their folders are added to --enc.

With LEADLINE_SMTP, LEADLINE_MAIL_FROM and PUBLIC_URL, it also sends the emails of the portal: invitations and
links to set a password.

--licensed requires the settings for encrypted charts (\`charts permit --help\`). An account uploads its permits,
and then its exchange sets. Decrypted charts are only in memory and, encrypted, in --cache.`,
    )
    .action((options: WorkOptions) =>
      namesBucket(options) ? runUploads(options, output, run) : runWork(options, output, run),
    );
}

/** Runs `charts crowd` at once and then at an interval, never twice at a time. @returns stops it */
export function repeatCrowd(
  every: number,
  run: RunCommand,
  note: (line: string) => void,
): () => void {
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
    try {
      await run(['crowd', ...args]);
    } catch (error) {
      // The command reports its own failures. The next interval tries again.
      note(`charts crowd failed: ${(error as Error).message}`);
    } finally {
      isRunning = false;
    }
  };
  void start();
  const timer = setInterval(() => void start(), every * MS_PER_MINUTE);
  return () => clearInterval(timer);
}

async function runUploads(
  options: WorkOptions,
  output: CommandOutput,
  run: RunCommand,
): Promise<void> {
  const url = options.database ?? process.env[DATABASE_VARIABLE] ?? '';
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new CommandEnd(
      EXIT.usage,
      `Expected the PostgreSQL URL of the service's database. Set --database or ${DATABASE_VARIABLE}.`,
    );
  }
  const { background, jobs, cache, reuse, crowdEvery } = options;
  const { producers, sync } = producersOf(process.env[SYNC_VARIABLE] ?? '', run);
  const folders = producers.map(({ folder }) => folder);
  for (const one of folders) mkdirSync(one, { recursive: true });
  const enc = [...new Set([...(options.enc ?? []), ...folders])];
  const licensed = process.env[LICENSED_VARIABLE]?.trim() || 'off';
  if (!['on', 'off'].includes(licensed))
    throw new CommandEnd(EXIT.usage, `${LICENSED_VARIABLE} must be on or off, for example on.`);
  const isLicensed = options.licensed ?? licensed === 'on';
  const licensing = isLicensed ? licensingOf(options) : undefined;
  const { settings: mail, faults } = readMailSettings(process.env);
  const sentences = faults.map((name) => `${name} must be ${MAIL_SETTINGS[name]}.`);
  if (sentences.length > 0) throw new CommandEnd(EXIT.usage, sentences.join(' '));
  const folder = cache ?? join(tmpdir(), `leadline-uploads-${randomUUID()}`);
  const { workOnUploads } = await import('../uploads/work-on-uploads.ts');
  await withBucket(options, async (bucket) => {
    const sources = {
      bucket: asFileBucket(bucket),
      enc,
      producers,
      background,
      reuse,
      threads: jobs,
      licensing,
      sync,
    };
    // After the bucket is known to be usable: it would keep a failed command running.
    const endCrowd =
      crowdEvery === undefined ? undefined : repeatCrowd(crowdEvery, run, output.note);
    let mails: MailWork | undefined;
    try {
      const work = await withQueueErrors(
        () => workOnUploads({ ...sources, work: folder, url, note: output.note }),
        DATABASE_ADVICE,
      );
      onStop(() => void work.stop());
      output.note('Waiting for uploads.');
      if (mail !== undefined) {
        const { sendMails } = await import('../mail/send-mails.ts');
        mails = sendMails({ ...mail, url, note: output.note });
      }
      await withQueueErrors(() => work.ended, DATABASE_ADVICE);
    } finally {
      await mails?.stop();
      endCrowd?.();
      if (cache === undefined) rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** Set by the service: the process also stops if the service was killed. */
const OF_SERVICE = 'LEADLINE_STOPS_WITH_PARENT';

function onStop(stop: () => void): void {
  const parent = process.ppid;
  if (process.env[OF_SERVICE] !== undefined) {
    setInterval(() => process.ppid !== parent && stop(), 1000).unref();
  }
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

async function runWork(
  options: WorkOptions,
  output: CommandOutput,
  run: RunCommand,
): Promise<void> {
  const { packs } = options;
  if (packs === undefined) {
    throw new CommandEnd(
      EXIT.usage,
      'Expected --packs for builds, or a bucket such as --store for uploads.',
    );
  }
  const folder = options.cache ?? join(tmpdir(), `leadline-work-${randomUUID()}`);
  const { workOnQueue } = await import('../queue/work-on-queue.ts');
  const url = queueUrlOf(options);
  const { crowdEvery } = options;
  const endCrowd = crowdEvery === undefined ? undefined : repeatCrowd(crowdEvery, run, output.note);
  try {
    const store = await openStore(packs);
    const { jobs } = options;
    const work = await withQueueErrors(() =>
      workOnQueue({ url, store, folder, jobs, note: output.note }),
    );
    onStop(() => void work.stop());
    output.note(`Running up to ${jobs} jobs of the queue at a time.`);
    await withQueueErrors(() => work.ended);
  } finally {
    endCrowd?.();
    if (options.cache === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
