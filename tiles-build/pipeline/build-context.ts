// What all stages of one build share: the workers, the cache, the progress, and the list of work
// that was done instead of taken from the cache.

import type { Problem } from '../../shared/s57/cell/cell.ts';
import type { BuildCache } from './build-cache.ts';
import type { BuildAnswer, BuildJob } from './jobs.ts';
import type { PartLimits } from './part-plan.ts';
import type { Outcome, WorkerPool } from './worker-pool.ts';

export interface BuildProgress {
  start(stage: string, total: number): void;
  step(detail: string): void;
}

/** Runs the jobs of a build. */
export type BuildPool = WorkerPool<BuildJob, BuildAnswer>;

export interface BuildContext {
  readonly pool: BuildPool;
  readonly cache: BuildCache;
  /** Cache for results that do not depend on the cells of this build. */
  readonly shared: BuildCache;
  /** Digest of the code; part of every cache key. */
  readonly code: string;
  readonly progress: BuildProgress;
  /** Default: those of `part-plan.ts`. */
  readonly partLimits: PartLimits | undefined;
  /** Filled in by the stages. */
  readonly work: {
    readonly scanned: string[];
    /** Names of owners; one owner may take several jobs. */
    readonly sliced: Set<string>;
    readonly merged: string[];
    readonly written: string[];
    readonly mergedTiles: Record<string, number>;
    readonly removedParts: Record<string, number>;
  };
}

/** The answer to a job of the given kind. */
type AnswerOf<Kind extends BuildAnswer['kind']> = Extract<BuildAnswer, { kind: Kind }>;

/**
 * The build cannot continue, and no cell caused it. The cache keeps the finished work for the next
 * build.
 */
export class BuildStopped extends Error {}

/**
 * Run a job on a worker. Workers answer each job with an answer of the same kind.
 * @throws BuildStopped if the machine failed, so that no good chart is left out for that reason
 */
export async function ask<Kind extends BuildJob['kind']>(
  context: BuildContext,
  job: Extract<BuildJob, { kind: Kind }>,
): Promise<Outcome<AnswerOf<Kind>>> {
  const outcome = (await context.pool.run(job)) as Outcome<AnswerOf<Kind>>;
  if (outcome.ok || outcome.reason !== 'system-error') return outcome;
  const [own, shared] = [context.cache.folder, context.shared.folder];
  const folders = own === shared ? own : `${own} and ${shared}`;
  const cause = /^ENOSPC\b/.test(outcome.message) ? 'the disk is full' : outcome.message;
  throw new BuildStopped(
    `The build stopped: ${cause}. It uses the cache in ${folders}. Fix the cause and run ` +
      'the same command again: it continues from the cache. Existing charts are unchanged.',
  );
}

/**
 * Run a job that the build cannot do without.
 * @throws BuildStopped if the job fails, with the reason
 */
export async function demand<Kind extends BuildJob['kind']>(
  context: BuildContext,
  job: Extract<BuildJob, { kind: Kind }>,
  doing: string,
): Promise<AnswerOf<Kind>> {
  const outcome = await ask(context, job);
  if (outcome.ok) return outcome.value;
  throw new BuildStopped(`${doing} ${WORDS[outcome.reason]}: ${outcome.message}`);
}

/** How a job ended, for use inside a sentence. */
const WORDS = {
  failed: 'failed',
  crashed: 'crashed',
  hung: 'hung',
  'out-of-memory': 'ran out of memory',
  'system-error': 'was not possible',
} as const;

/** The problem of a cell that is left out because a worker failed. */
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
