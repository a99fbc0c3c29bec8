// Replaces the file paths in a job, to send the job to another machine.

import type { CellLocation } from '../pipeline/cell-location.ts';
import type { MergeJob, ScanJob, SliceJob } from '../pipeline/jobs.ts';
import { TILESETS } from '../pipeline/tilesets.ts';

/** Jobs that other machines can run. The remaining job kinds need the results of all of these. */
export type QueuedJob = ScanJob | SliceJob | MergeJob;

/** The replacement for each kind of path. */
export interface PathMap {
  /** A file that the job reads. */
  read(path: string): string;
  /** A file that the job writes. */
  write(path: string): string;
  /** A file that the job reads if it exists and otherwise writes. */
  readOrWrite(path: string): string;
  /** The folder with the files of a background. */
  folder(path: string): string;
  /** A folder of the process that runs the job. */
  own(kind: 'cache' | 'scratch'): string;
}

/** Return the same job with replaced paths. */
export function withPaths<Job extends QueuedJob>(job: Job, map: PathMap): Job;
export function withPaths(job: QueuedJob, map: PathMap): QueuedJob {
  switch (job.kind) {
    case 'scan':
      return { ...job, location: cellWith(job.location, map), cacheFolder: map.own('cache') };
    case 'slice': {
      const packs = TILESETS.flatMap((tileset) => {
        const path = job.packs[tileset];
        return path === undefined ? [] : [[tileset, map.write(path)] as const];
      });
      const plan = { ...job.plan, pack: map.read(job.plan.pack) };
      return {
        ...job,
        plan,
        source: sourceWith(job.source, map),
        packs: Object.fromEntries(packs),
      };
    }
    case 'merge': {
      const { part } = job;
      const packs = part.packs.map((path) => map.read(path));
      const scratch = map.own('scratch');
      return { ...job, part: { ...part, packs, out: map.write(part.out), scratch } };
    }
  }
}

function sourceWith(source: SliceJob['source'], map: PathMap): SliceJob['source'] {
  if (source.kind === 'cell') return { ...source, location: cellWith(source.location, map) };
  const { background, coasts } = source;
  const folder = background.folder === undefined ? undefined : map.folder(background.folder);
  return { ...source, background: { ...background, folder }, coasts: map.readOrWrite(coasts) };
}

function cellWith(location: CellLocation, map: PathMap): CellLocation {
  const fileWith = <File extends { readonly path: string }>(file: File): File => ({
    ...file,
    path: map.read(file.path),
  });
  return {
    ...location,
    updates: location.updates.map(fileWith),
    ...(location.base === undefined ? {} : { base: fileWith(location.base) }),
  };
}
