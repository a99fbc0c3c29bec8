// Names of temporary files: next to the final file, unique across processes and threads.

import { randomBytes } from 'node:crypto';

/** Path of a temporary file that is later renamed to `path`. */
export const unfinishedPath = (path: string): string =>
  `${path}.${process.pid}-${randomBytes(6).toString('hex')}.part`;

/** Parse a name made by `unfinishedPath`, also of earlier versions: final name and process id. */
export function readUnfinished(name: string): { file: string; pid: number } | undefined {
  const found = /^(.+)\.(\d+)(?:-[0-9a-f]{12})?\.part$/.exec(name);
  return found === null ? undefined : { file: found[1]!, pid: Number(found[2]) };
}
