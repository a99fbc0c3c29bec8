// Checks one update of a cell and applies it.

import type { Problem } from '../cell/cell.ts';
import type { Parameters, RawFile } from '../records/records.ts';
import { assembleCell } from './assemble.ts';
import type { CellFile } from './cell-files.ts';
import { checkCounts, fitsLess, type Misfit, misfitOf } from './checks.ts';
import { applyUpdate, type CellState, copyOf, UpdateConflict } from './state.ts';

/** The state of a cell, and whether the record counts of the last file match. */
export interface Taken {
  readonly state: CellState;
  readonly countsMatch: boolean;
}

/** Parse a number in DSID (EDTN, UPDN); NaN if the text is not a number. */
export const number = (text: string): number =>
  /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;

export function misfitOfState(state: CellState, name: string): Misfit {
  const { cell, dangling } = assembleCell(state, name);
  return misfitOf(cell, dangling);
}

/** An update file and its records; a refused file has no records. */
export interface Update {
  readonly file: CellFile;
  readonly raw: RawFile;
}

/** Whether a name in DSID is of a cell. Some producers write a path or blanks before it. */
export const isFor = (name: string, dataSetName: string): boolean =>
  (dataSetName.trim().split(/[\\/]/).at(-1) ?? '').toUpperCase().startsWith(name.toUpperCase());

/**
 * Whether an update cancels the cell: edition 0 (S-57 Appendix B.1, clause 5.7) in a file without chart
 * records. In a file with chart records or damage, the 0 is more likely an error.
 */
export const cancels = (raw: RawFile, name: string): boolean => {
  const { dataSet, features, vectors, problems } = raw;
  if (dataSet === undefined || features.length + vectors.length + problems.length > 0) return false;
  return isFor(name, dataSet.name) && number(dataSet.edition) === 0;
};

/** Units and factors of a file, by subfield of DSPM. */
const UNITS = {
  COMF: 'coordinateFactor',
  SOMF: 'soundingFactor',
  COUN: 'coordinateUnit',
  HDAT: 'horizontalDatum',
  DUNI: 'depthUnit',
  HUNI: 'heightUnit',
  PUNI: 'accuracyUnit',
} as const satisfies Readonly<Record<string, keyof Parameters>>;

/**
 * The units of an update that differ from those of its cell; `undefined` if none differ. 0 means not
 * stated. An update should not state units; with other units its depths could be ten times too deep.
 */
function differing(own: Parameters, update: Parameters): string | undefined {
  const found = Object.entries(UNITS).filter(
    ([, key]) => update[key] !== 0 && update[key] !== own[key],
  );
  if (found.length === 0) return undefined;
  return found.map(([name, key]) => `${name}: ${update[key]}, not ${own[key]}`).join('; ');
}

const DAY = /^[1-9]\d{7}$/;

/** Whether a file was issued before a day (YYYYMMDD); false if either date is unknown. */
export function isBefore({ dataSet }: RawFile, day: string): boolean {
  const issued = dataSet?.issueDate ?? '';
  return DAY.test(issued) && DAY.test(day) && issued < day;
}

/**
 * Whether an update belongs to an earlier edition, as happens if old updates lie next to a new edition. In
 * an update that was issued after the base, the edition number is more likely damaged.
 */
function isReplaced(raw: RawFile, { dataSet }: CellState): boolean {
  const edition = number(raw.dataSet?.edition ?? '');
  return edition > 0 && edition < number(dataSet.edition) && isBefore(raw, dataSet.issueDate);
}

/**
 * Whether a cell already contains a damaged update, by the name of the file and by its content as far as
 * that can be read.
 */
function isContained(
  { name }: CellFile,
  { dataSet }: RawFile,
  { dataSet: own }: CellState,
): boolean {
  const have = number(own.update) || 0;
  const edition = number(dataSet?.edition ?? '');
  return (
    number(name.slice(-'000'.length)) <= have &&
    !(number(dataSet?.update ?? '') > have) &&
    (Number.isNaN(edition) || edition === number(own.edition))
  );
}

type Step = 'skip' | 'stop' | Taken;

/**
 * Apply the next update to a cell. Problems are added to `problems`.
 * @returns 'skip' if the cell already contains the update or it is for an earlier edition, 'stop' if this
 *   and later updates cannot be applied
 */
export function takeUpdate(
  state: CellState,
  { file: update, raw }: Update,
  name: string,
  problems: Problem[],
): Step {
  const say = (code: string, message: string): 'stop' => {
    problems.push({ code, message, file: update.name, severity: 'error' });
    return 'stop';
  };
  const isDamaged =
    update.unreadable !== undefined || raw.dataSet === undefined || raw.problems.length > 0;
  if (isDamaged && isContained(update, raw, state)) {
    problems.push({
      code: 'update-duplicate',
      message: 'the update is damaged, but the cell already contains it; it is ignored',
      file: update.name,
      severity: 'warning',
    });
    return 'skip';
  }
  if (update.unreadable !== undefined) {
    return say('update-unreadable', `${update.unreadable}; this and later updates are ignored`);
  }
  const { dataSet } = raw;
  if (dataSet === undefined) {
    for (const problem of raw.problems) problems.push(problem);
    return say(
      'update-unreadable',
      'the update has no DSID record; this and later updates are ignored',
    );
  }
  if (isFor(name, dataSet.name) && isReplaced(raw, state)) {
    problems.push({
      code: 'update-outdated',
      message: `the update is for edition ${dataSet.edition}, which edition ${state.dataSet.edition} has replaced; it is ignored`,
      file: update.name,
      severity: 'warning',
    });
    return 'skip';
  }
  if (raw.problems.length > 0) {
    for (const problem of raw.problems) problems.push(problem);
    return say(
      'update-truncated',
      'the update cannot be read completely; this and later updates are ignored',
    );
  }
  if (!isFor(name, dataSet.name)) {
    return say('update-foreign', `the update is for ${dataSet.name}, not for ${name}`);
  }
  const edition = number(dataSet.edition);
  const haveEdition = number(state.dataSet.edition);
  const have = number(state.dataSet.update) || 0;
  const brings = number(dataSet.update);
  if (edition !== haveEdition) {
    return say(
      'update-edition-mismatch',
      `the update is for edition ${dataSet.edition}, the cell is edition ${state.dataSet.edition}`,
    );
  }
  if (brings <= have) {
    problems.push({
      code: 'update-duplicate',
      message: `the cell already contains update ${brings} (it is at update ${have})`,
      file: update.name,
      severity: 'warning',
    });
    return 'skip';
  }
  if (brings !== have + 1) {
    return say(
      'update-gap',
      `update ${have + 1} is missing; ${brings} and later updates are ignored`,
    );
  }
  const other = raw.parameters && differing(state.parameters, raw.parameters);
  if (other !== undefined) {
    return say(
      'update-parameters-differ',
      `the update uses other units than the cell (${other}); this and later updates are ignored`,
    );
  }
  const counts = checkCounts(raw, update.name);
  if (counts.problem !== undefined) problems.push(counts.problem);
  try {
    // Applied to a copy if the result may have to be discarded.
    const next = applyUpdate(counts.holdsLess ? copyOf(state) : state, raw, dataSet);
    const misfit = (one: CellState) => misfitOfState(one, name);
    if (counts.holdsLess && fitsLess(misfit(next), misfit(state), state.vectors)) {
      return say(
        'update-truncated',
        'the update has fewer records than DSSI states, and the cell would be inconsistent with it; ' +
          'this and later updates are ignored',
      );
    }
    return { state: next, countsMatch: counts.problem === undefined };
  } catch (error) {
    if (!(error instanceof UpdateConflict)) throw error;
    return say(error.code, `${error.message}; this and later updates are ignored`);
  }
}
