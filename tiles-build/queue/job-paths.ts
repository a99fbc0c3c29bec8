// The files of a job that another machine does: each path in it stands for one, and is put in another's
// place on the way there.

import type { CellLocation } from '../pipeline/cell-location.ts';
import type { MergeJob, ScanJob, SliceJob } from '../pipeline/jobs.ts';
import { TILESETS } from '../pipeline/tilesets.ts';

/** Jobs that go to other machines. The others are one a build, and need what all of these made. */
export type QueuedJob = ScanJob | SliceJob | MergeJob;

/** What to put in the place of a path. */
export interface PathMap {
  /** Of a file that the job reads. */
  read(path: string): string;
  /** Of a file that the job writes. */
  write(path: string): string;
  /** Of one that the job reads where it is there, and else writes. */
  keep(path: string): string;
  /** Of a background's folder of files. */
  folder(path: string): string;
  /** Of a folder that belongs to whoever does the job. */
  own(kind: 'cache' | 'scratch'): string;
}

/** The same job with other paths. */
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
  return { ...source, background: { ...background, folder }, coasts: map.keep(coasts) };
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
