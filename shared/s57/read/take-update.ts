// One update of a cell: whether it is the next one, and what becomes of the cell.

import type { Problem } from '../cell/cell.ts';
import type { Parameters, RawFile } from '../records/records.ts';
import { assembleCell } from './assemble.ts';
import { checkCounts, fitsLess, type Misfit, misfitOf } from './checks.ts';
import type { CellFile } from './read-cell.ts';
import { applyUpdate, type CellState, copyOf, UpdateConflict } from './state.ts';

/** A cell so far, and whether the last file taken held what its counts promise. */
export interface Taken {
  readonly state: CellState;
  readonly countsMatch: boolean;
}

/** A number as DSID writes it (EDTN, UPDN); NaN if the text is no number. */
export const number = (text: string): number =>
  /^\d{1,5}$/.test(text.trim()) ? Number(text) : Number.NaN;

/** What of a cell would not fit together if it stayed as it is. */
export function misfitOfState(state: CellState, name: string): Misfit {
  const { cell, dangling } = assembleCell(state, name);
  return misfitOf(cell, dangling);
}

/** An update file and its records; a refused file has none. */
export interface Update {
  readonly file: CellFile;
  readonly raw: RawFile;
}

const isFor = (name: string, dataSetName: string): boolean =>
  dataSetName.toUpperCase().startsWith(name.toUpperCase());

/**
 * Edition 0 takes a cell out of force (S-57 Appendix B.1, clause 5.7), by a file that holds nothing
 * else: beside records of a chart, or in a file that is damaged, the 0 is more likely the damage.
 */
export const cancels = (raw: RawFile, name: string): boolean => {
  const { dataSet, features, vectors, problems } = raw;
  if (dataSet === undefined || features.length + vectors.length + problems.length > 0) return false;
  return isFor(name, dataSet.name) && number(dataSet.edition) === 0;
};

/** What numbers of a file are counted in, by the subfield of DSPM that says so. */
const UNITS = {
  COMF: 'coordinateFactor',
  SOMF: 'soundingFactor',
  COUN: 'coordinateUnit',
  DUNI: 'depthUnit',
  HUNI: 'heightUnit',
} as const satisfies Readonly<Record<string, keyof Parameters>>;

/**
 * In which units an update, which should have none of its own, differs from its cell: read as the cell's,
 * its depths might be ten times too deep. Undefined where in none; 0 says nothing.
 */
function differing(own: Parameters, update: Parameters): string | undefined {
  const found = Object.entries(UNITS).filter(
    ([, key]) => update[key] !== 0 && update[key] !== own[key],
  );
  if (found.length === 0) return undefined;
  return found.map(([name, key]) => `${name}: ${update[key]}, not ${own[key]}`).join('; ');
}

const DAY = /^[1-9]\d{7}$/;

/** Whether a file was issued before a day (YYYYMMDD), as far as both dates are known. */
export function isBefore({ dataSet }: RawFile, day: string): boolean {
  const issued = dataSet?.issueDate ?? '';
  return DAY.test(issued) && DAY.test(day) && issued < day;
}

/**
 * Whether an update is of an edition that the cell's has replaced, as those are that lie beside a new
 * edition. One that was issued later is not: its number is more likely damaged.
 */
function isReplaced(raw: RawFile, { dataSet }: CellState): boolean {
  const edition = number(raw.dataSet?.edition ?? '');
  return edition > 0 && edition < number(dataSet.edition) && isBefore(raw, dataSet.issueDate);
}

type Step = 'skip' | 'stop' | Taken;

/**
 * Bring a cell forward by its next update. What is wrong goes to `problems`. 'skip': the cell holds it
 * already, or it is of an edition before; 'stop': it and later ones cannot be applied.
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
  if (update.unreadable !== undefined) {
    return say('update-unreadable', `${update.unreadable}; it and later ones are left out`);
  }
  const { dataSet } = raw;
  if (dataSet === undefined) {
    for (const problem of raw.problems) problems.push(problem);
    return say(
      'update-unreadable',
      'the update has no DSID record; it and later ones are left out',
    );
  }
  if (isFor(name, dataSet.name) && isReplaced(raw, state)) {
    problems.push({
      code: 'update-outdated',
      message: `the update is for edition ${dataSet.edition}, which edition ${state.dataSet.edition} has replaced: it is left out`,
      file: update.name,
      severity: 'warning',
    });
    return 'skip';
  }
  if (raw.problems.length > 0) {
    for (const problem of raw.problems) problems.push(problem);
    return say(
      'update-truncated',
      'the update cannot be read whole; it and later ones are left out',
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
      message: `update ${brings} is in the cell already (it stands at ${have})`,
      file: update.name,
      severity: 'warning',
    });
    return 'skip';
  }
  if (brings !== have + 1) {
    return say(
      'update-gap',
      `update ${have + 1} is missing; ${brings} and later ones are left out`,
    );
  }
  const other = raw.parameters && differing(state.parameters, raw.parameters);
  if (other !== undefined) {
    return say(
      'update-parameters-differ',
      `the update counts in other units than the cell (${other}); it and later ones are left out`,
    );
  }
  const counts = checkCounts(raw, update.name);
  if (counts.problem !== undefined) problems.push(counts.problem);
  try {
    // Applying changes the state, so one that may have to be taken back is applied to a copy.
    const next = applyUpdate(counts.holdsLess ? copyOf(state) : state, raw, dataSet);
    if (counts.holdsLess && fitsLess(misfitOfState(next, name), misfitOfState(state, name))) {
      return say(
        'update-truncated',
        'the update holds fewer records than it promises, and with it the cell would not be whole; ' +
          'it and later ones are left out',
      );
    }
    return { state: next, countsMatch: counts.problem === undefined };
  } catch (error) {
    if (!(error instanceof UpdateConflict)) throw error;
    return say(error.code, `${error.message}; the update and later ones are left out`);
  }
}
