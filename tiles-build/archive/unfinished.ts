// Files that are being written: beside their place, under names that no other writer has, whether it is
// another process or a thread of this one that does the same job.

import { randomBytes } from 'node:crypto';

/** A place to write what is moved to `path` when it is whole. */
export const unfinishedPath = (path: string): string =>
  `${path}.${process.pid}-${randomBytes(6).toString('hex')}.part`;

/** Of a name that `unfinishedPath` made, now or in earlier versions: the finished one, and the process. */
export function readUnfinished(name: string): { file: string; pid: number } | undefined {
  const found = /^(.+)\.(\d+)(?:-[0-9a-f]{12})?\.part$/.exec(name);
  return found === null ? undefined : { file: found[1]!, pid: Number(found[2]) };
}
