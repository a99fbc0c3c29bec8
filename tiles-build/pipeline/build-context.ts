// What all stages of one build share: the workers, the cache, the progress, and the list of the
// work that was really done.

import type { Problem } from '../../shared/s57/cell/cell.ts';
import type { BuildCache } from './build-cache.ts';
import type { BuildAnswer, BuildJob } from './jobs.ts';
import type { Outcome, WorkerPool } from './worker-pool.ts';

export interface BuildProgress {
  start(stage: string, total: number): void;
  step(detail: string): void;
}

/** Who does the jobs of a build. */
export type BuildPool = WorkerPool<BuildJob, BuildAnswer>;

export interface BuildContext {
  readonly pool: BuildPool;
  readonly cache: BuildCache;
  /** What does not depend on the cells of this build. */
  readonly shared: BuildCache;
  /** Digest of the code, part of every cache key. */
  readonly code: string;
  readonly progress: BuildProgress;
  /** Added to by the stages. */
  readonly work: {
    readonly scanned: string[];
    /** Names of owners, each of which may have been cut in several jobs. */
    readonly sliced: Set<string>;
    readonly merged: string[];
    readonly written: string[];
    readonly sharedTiles: Record<string, number>;
    readonly thinned: Record<string, number>;
  };
}

/** A job's answer of the kind that was asked for. */
type AnswerOf<Kind extends BuildAnswer['kind']> = Extract<BuildAnswer, { kind: Kind }>;

/** The build cannot go on, and no cell is to blame. What is done already is kept for the next one. */
export class BuildStopped extends Error {}

/**
 * Ask a worker. The answer's kind is the job's: workers answer each job in kind.
 * @throws BuildStopped where the machine failed: leaving a cell out for that would lose a good chart
 */
export async function ask<Kind extends BuildJob['kind']>(
  context: BuildContext,
  job: Extract<BuildJob, { kind: Kind }>,
): Promise<Outcome<AnswerOf<Kind>>> {
  const outcome = (await context.pool.run(job)) as Outcome<AnswerOf<Kind>>;
  if (outcome.ok || outcome.reason !== 'machine') return outcome;
  const [own, shared] = [context.cache.folder, context.shared.folder];
  const folders = own === shared ? own : `${own} and ${shared}`;
  throw new BuildStopped(
    `The build could not go on: ${outcome.message}. It works in ${folders}. When that is put right, ` +
      'the same command goes on from what is done; the charts that were there before are unchanged.',
  );
}

/** Ask for what the build cannot do without. @throws BuildStopped saying what could not be done */
export async function demand<Kind extends BuildJob['kind']>(
  context: BuildContext,
  job: Extract<BuildJob, { kind: Kind }>,
  doing: string,
): Promise<AnswerOf<Kind>> {
  const outcome = await ask(context, job);
  if (outcome.ok) return outcome.value;
  throw new BuildStopped(`${doing} ${WORDS[outcome.reason]}: ${outcome.message}`);
}

/** How a job ended, in the midst of a sentence. */
const WORDS = {
  failed: 'failed',
  crashed: 'crashed',
  hung: 'hung',
  'out-of-memory': 'ran out of memory',
  machine: 'was not possible',
} as const;

/** Why a cell is left out, when a worker did not manage it. */
export function refusalOf(
  doing: 'reading' | 'tiling',
  name: string,
  outcome: Exclude<Outcome<unknown>, { ok: true }>,
): Problem {
  return {
    code: `${doing}-${outcome.reason}`,
    message: `${doing} ${name} ${WORDS[outcome.reason]}: ${outcome.message}; the cell is left out`,
    severity: 'error',
  };
}
