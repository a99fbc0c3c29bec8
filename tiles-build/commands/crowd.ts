// `charts crowd`: makes depths from the soundings of contributors, and publishes them. The
// implementation is in ../crowd.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { MANIFEST_FILE } from '../../shared/chart/manifest.ts';
import { systemErrorText } from '../../shared/contract/system-error.ts';
import { CROWD_PREFIX, MIN_CONTRIBUTORS } from '../../shared/crowd/bin.ts';
import { FolderInUse, inLockedFolder } from '../archive/folder-lock.ts';
import { prefixedBucket } from '../publish/prefixed-bucket.ts';
import { type BucketChoice, namesBucket, withBucket, withBucketOptions } from './bucket-choice.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';
import { showProgress } from './progress.ts';
import { positiveCount } from './publish.ts';

interface CrowdOptions extends BucketChoice {
  readonly database?: string;
  readonly state: string;
  readonly charts?: string;
  readonly trustUsersOf?: readonly string[];
  readonly contributors: number;
  readonly keep: number;
}

/** Environment variables for the URL, which contains a password; as for `npm run migrate`. */
const VARIABLES = ['DATABASE_OWNER_URL', 'DATABASE_URL'] as const;

export function addCrowdCommand(program: Command, output: CommandOutput): void {
  const command = program
    .command('crowd')
    .description('make depths from the soundings of contributors and publish them')
    .option('--database <url>', `PostgreSQL of the service (${VARIABLES.join(' or ')})`)
    .requiredOption('--state <folder>', 'folder for the state between runs and for the archive')
    .option('--charts <folder>', 'charts to compare with, as charts build wrote them')
    .option(
      '--trust-users-of <account>',
      'account whose external users count as different people; tracks without externalUserId are not used; repeatable',
      (value: string, before: readonly string[] = []) => [...before, value],
    )
    .option(
      '--contributors <n>',
      'independent contributors that a public cell needs, from 2 to 20',
      contributorCount,
      MIN_CONTRIBUTORS,
    )
    .option(
      '--keep <n>',
      'after publishing, delete all but the newest n archives; if a later run changes nothing, delete all but the newest',
      positiveCount,
      2,
    );
  withBucketOptions(command)
    .addHelpText(
      'after',
      `
Only tracks whose contributors chose "aggregate" or "open data" are used. Each run uses what changed since
the last one: new tracks are added, and withdrawn or erased ones are removed. Older archives still contain
removed soundings, so --keep should be small. The state contains personal data. Do not back it up, and do not
delete it: only the state knows which soundings wait for a second contributor. Depths are not for navigation.

  charts crowd --state crowd --charts charts --store published`,
    )
    .action((options: CrowdOptions) => runCrowd(options, output));
}

async function runCrowd(options: CrowdOptions, output: CommandOutput): Promise<void> {
  const url = urlOf(options);
  const { charts } = options;
  if (charts !== undefined && !existsSync(join(charts, MANIFEST_FILE)))
    throw new CommandEnd(EXIT.missing, `${charts} contains no ${MANIFEST_FILE}. Check --charts.`);
  const folder = join(options.state, 'archive');
  await withExpectedErrors(() =>
    inLockedFolder(options.state, 'used', async () => {
      const isWritten = await update(url, folder, options, output);
      if (!isWritten)
        output.out(
          `No cell is public: ${options.contributors} independent contributors are needed. No archive was made.`,
        );
      if (namesBucket(options)) await publish(folder, isWritten, options, output);
    }),
  );
}

function urlOf({ database }: CrowdOptions): string {
  const url = database ?? VARIABLES.map((name) => process.env[name]).find((one) => one) ?? '';
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw new CommandEnd(
    EXIT.usage,
    `charts crowd requires the PostgreSQL URL of the service. Set --database or ${VARIABLES.join(' or ')}.`,
  );
}

/** @returns whether an archive was written */
async function update(
  url: string,
  folder: string,
  options: CrowdOptions,
  output: CommandOutput,
): Promise<boolean> {
  const { makeCrowd } = await import('../crowd/make-crowd.ts');
  const progress = showProgress(output);
  try {
    const { update: made, manifest } = await makeCrowd({
      url,
      state: options.state,
      folder,
      charts: options.charts,
      trusted: new Set(options.trustUsersOf ?? []),
      leastContributors: options.contributors,
      now: Date.now(),
      progress,
    });
    output.out(
      `${made.added} tracks added, ${made.removed} removed, ${made.changedShards.length} of ${made.shards} areas changed, ${made.bins} public cells.`,
    );
    return manifest !== undefined;
  } finally {
    progress.end();
  }
}

async function publish(
  folder: string,
  isWritten: boolean,
  options: CrowdOptions,
  output: CommandOutput,
): Promise<void> {
  await withBucket(options, async (whole) => {
    const bucket = prefixedBucket(whole, CROWD_PREFIX);
    if (!isWritten) {
      // Everything was withdrawn: what was published must not stay.
      const keys = await bucket.list('');
      if (keys === undefined)
        throw new CommandEnd(
          EXIT.refused,
          `No cell is public, and this bucket cannot be listed. Delete all its keys that begin with ${CROWD_PREFIX}.`,
        );
      for (const key of keys) await bucket.delete(key);
      return;
    }
    const { publishCrowd } = await import('../crowd/publish-crowd.ts');
    const { buildId, pointerMoved, damaged } = await publishCrowd(folder, bucket, options.keep);
    for (const key of damaged)
      output.note(`${CROWD_PREFIX}${key} was damaged or missing in the bucket. It was replaced.`);
    output.out(pointerMoved ? `Published ${buildId}.` : `${buildId} is already published.`);
  });
}

/** Codes of connections, and of PostgreSQL, which contain digits. */
const OF_CONNECTIONS =
  /\d|^ECONN|NOTFOUND$|^EAI_AGAIN$|^ETIMEDOUT$|UNREACH$|^EPIPE$|NETDOWN$|HOSTDOWN$|CERT|^ERR_(TLS|SSL)|VERIFY_LEAF/;
/** Errors of the `pg` library that have no code. */
const WITHOUT_CODE =
  /^(Connection terminated|timeout expired|Client (has encountered|was closed))| SSL connection/;

async function withExpectedErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandEnd) throw error;
    const { BuilderRunning } = await import('../crowd/track-database.ts');
    const isExpected = error instanceof BuilderRunning || error instanceof FolderInUse;
    const { code, message } = error as Error & { code?: unknown };
    const isConnection = OF_CONNECTIONS.test(`${code}`) || WITHOUT_CODE.test(message);
    if (!isExpected && !isConnection) throw error;
    const reason = systemErrorText(error) ?? message;
    throw new CommandEnd(EXIT.unavailable, `The depths could not be made. Cause: ${reason}`);
  }
}

function contributorCount(value: string): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= MIN_CONTRIBUTORS && count <= 20) return count;
  throw new InvalidArgumentError('Expected a number from 2 to 20.');
}

/** Minutes between two runs. */
export function minutes(value: string): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= 5 && count <= 10_080) return count;
  throw new InvalidArgumentError('Expected a number of minutes from 5 to 10080.');
}
