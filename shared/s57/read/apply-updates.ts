// Applies the updates of a cell in order, and recognizes its cancellation.

import type { Problem } from '../cell/cell.ts';
import type { CellFile, CellFiles } from './cell-files.ts';
import { decodeFile } from './decode.ts';
import { cancels, isBefore, number, type Taken, takeUpdate, type Update } from './take-update.ts';

interface Applied extends Partial<Taken> {
  readonly countsMatch: boolean;
  readonly cancelled: boolean;
}

/**
 * Apply the updates of a cell to its base, in the order of their numbers. The first update that cannot be
 * applied ends the sequence. A cancellation (edition 0) is effective even after such an update: a withdrawn
 * chart must not be shown. Problems are added to `problems`.
 */
export function applyUpdates(
  files: CellFiles,
  opened: Taken | undefined,
  problems: Problem[],
): Applied {
  const issued = opened?.state.dataSet.issueDate ?? '';
  let taken = opened;
  let isStopped = opened === undefined;
  let next = (number(opened?.state.dataSet.update ?? '') || 0) + 1;
  let countsMatch = opened?.countsMatch ?? false;
  for (const update of inOrder(files)) {
    if (cancels(update.raw, files.name)) {
      const isOld = isBefore(update.raw, issued);
      const last = taken === opened ? '' : (taken?.state.dataSet.issueDate ?? '');
      const follows = numbersOf(update).includes(next) && !isBefore(update.raw, last);
      if (isOld) problems.push(oldCancellation(update.file.name, issued, follows));
      if (isOld && !follows) continue;
      return { cancelled: true, countsMatch };
    }
    const refusal = isRefused(update.file, files) ? refuse(update.file, next, problems) : undefined;
    if (taken !== undefined && !isStopped) {
      const step = refusal ?? takeUpdate(taken.state, update, files.name, problems);
      if (step === 'skip') continue;
      if (step !== 'stop') {
        taken = step;
        countsMatch &&= step.countsMatch;
        next = number(step.state.dataSet.update) + 1;
        continue;
      }
      isStopped = true;
    }
    // A refused update keeps its place in the sequence.
    if (numbersOf(update).includes(next)) next++;
  }
  return { ...(taken !== undefined && { state: taken.state }), countsMatch, cancelled: false };
}

/** By number. The second file of a number is after all others, which it must not replace. */
function inOrder(files: CellFiles): readonly Update[] {
  const byName = new Map(files.updates.toReversed().map((file) => [file.name, file]));
  const first = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [...first, ...files.updates.filter((file) => byName.get(file.name) !== file)].map(
    (file) => ({
      file,
      raw: decodeFile(isRefused(file, files) ? new Uint8Array(0) : file.bytes, file.name),
    }),
  );
}

const isRefused = (file: CellFile, { acceptBadChecksums }: CellFiles): boolean =>
  file.badChecksum !== undefined && acceptBadChecksums !== true;

/** Report an update with a bad checksum. An update that the cell already contains is not needed. */
function refuse(file: CellFile, next: number, problems: Problem[]): 'skip' | 'stop' {
  const isNeeded = !(endingOf(file) < next);
  const consequence = isNeeded
    ? 'this and later updates are ignored'
    : 'it is ignored, because the cell already contains it';
  problems.push({
    code: 'checksum-differs',
    message: `${file.badChecksum}; ${consequence}`,
    file: file.name,
    severity: isNeeded ? 'error' : 'warning',
  });
  return isNeeded ? 'stop' : 'skip';
}

const endingOf = ({ name }: CellFile): number => number(name.slice(-'000'.length));

/** The update number in DSID and the number in the file extension. */
const numbersOf = ({ file, raw }: Update): readonly number[] => [
  number(raw.dataSet?.update ?? ''),
  endingOf(file),
];

function oldCancellation(file: string, issued: string, follows: boolean): Problem {
  const fact = `the update cancels the cell but was issued before the base (${issued})`;
  return follows
    ? {
        code: 'cancellation-predates-base',
        message: `${fact}; it is the next update of the cell, so the cell is withdrawn`,
        file,
        severity: 'warning',
      }
    : {
        code: 'cancellation-outdated',
        message: `${fact}; it is not the next update or is older than the last one, so it is ignored`,
        file,
        severity: 'warning',
      };
}
