// One cell from the bytes of its base file and updates. Never throws on bad data: it returns the
// cell up to the last good update, and a list of what was wrong.

import type { Problem, ReadResult } from '../cell/cell.ts';
import { assembleCell } from './assemble.ts';
import { checkCounts, skinDeviation } from './checks.ts';
import { decodeFile } from './decode.ts';
import { applyUpdate, baseState, type CellState, UpdateConflict } from './state.ts';
import { faultsOf, isOnEarth } from './whole-cell.ts';

/** One file of a cell. */
export interface CellFile {
  /** File name with its ending, e.g. `US5WA22M.003`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Why the file could not be read; then it has no bytes. */
  readonly unreadable?: string;
}

export interface CellFiles {
  readonly name: string;
  readonly base?: CellFile;
  /** In any order; their numbers are their endings. */
  readonly updates: readonly CellFile[];
}

/** Beyond this much of its coverage the skin has a hole or a doubling worth naming. */
const SKIN_TOLERANCE = 1e-6;

const number = (text: string): number =>
  /^\d{1,5}$/.test(text.trim()) ? Number(text) : Number.NaN;

/** Read a base cell and apply its updates in sequence (S-57 Appendix B.1, clause 5.7). */
export function readCell(files: CellFiles): ReadResult {
  const problems: Problem[] = [];
  const say = (
    code: string,
    message: string,
    file?: string,
    severity: Problem['severity'] = 'error',
  ) => problems.push({ code, message, severity, ...(file === undefined ? {} : { file }) });
  const failed = (): ReadResult => ({ name: files.name, cancelled: false, problems });

  if (files.base === undefined) {
    say('base-missing', `${files.name} has updates but no base cell (.000)`);
    return failed();
  }
  const opened = openBase(files.base, problems);
  if (opened === undefined) return failed();

  let { state } = opened;
  const updates = [...files.updates].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const update of updates) {
    const step = takeUpdate(state, update, files.name, problems);
    if (step === 'skip') continue;
    if (step === 'stop') break;
    if (step === 'cancel') return { name: files.name, cancelled: true, problems };
    state = step.state;
  }

  const { cell, problems: found } = assembleCell(state, files.name);
  problems.push(...found.map((problem) => ({ ...problem, file: files.base!.name })));
  if (!isOnEarth(cell)) {
    say('position-outside-earth', 'positions lie outside the earth: not used', files.base.name);
    return failed();
  }
  problems.push(...faultsOf(cell).map((problem) => ({ ...problem, file: files.base!.name })));
  const deviation = skinDeviation(cell);
  if (!(deviation <= SKIN_TOLERANCE)) {
    say(
      'skin-mismatch',
      `the Group 1 areas differ from the coverage by ${(deviation * 100).toFixed(3)} %`,
      files.base.name,
      'warning',
    );
  }
  return {
    name: files.name,
    cell,
    cancelled: false,
    // Files whose counts differ are not used, neither bases nor updates.
    checks: { recordCountsMatch: true, skinDeviation: deviation },
    problems,
  };
}

function openBase(base: CellFile, problems: Problem[]): { state: CellState } | undefined {
  if (base.unreadable !== undefined) {
    problems.push({
      code: 'base-unreadable',
      message: `the base cell cannot be read: ${base.unreadable}`,
      file: base.name,
      severity: 'error',
    });
    return undefined;
  }
  const raw = decodeFile(base.bytes, base.name);
  problems.push(...raw.problems);
  const refuse = (code: string, message: string) => {
    problems.push({ code, message, file: base.name, severity: 'error' });
    return undefined;
  };
  if (raw.dataSet === undefined) return refuse('no-data-set', 'the file has no DSID record');
  if (raw.parameters === undefined) return refuse('no-parameters', 'the file has no DSPM record');
  const { coordinateFactor, soundingFactor, coordinateUnit } = raw.parameters;
  if (coordinateFactor === 0)
    return refuse('bad-coordinate-factor', 'COMF is 0: no coordinate is known');
  if (coordinateUnit !== 1) {
    return refuse('bad-coordinate-unit', `COUN is ${coordinateUnit}; only 1, degrees, is an ENC`);
  }
  const parameters =
    soundingFactor === 0 ? { ...raw.parameters, soundingFactor: 10 } : raw.parameters;
  if (soundingFactor === 0) {
    problems.push({
      code: 'bad-sounding-factor',
      message: 'SOMF is 0; read as 10',
      file: base.name,
      severity: 'warning',
    });
  }
  const counts = checkCounts(raw, base.name);
  problems.push(...counts);
  if (raw.problems.length > 0 || counts.length > 0) {
    // What is missing would look like open water: the coarser chart is the safer one.
    return refuse('base-incomplete', 'the base cell cannot be read whole, so it is not used');
  }
  const { state, problems: repeated } = baseState(raw, raw.dataSet, parameters, base.name);
  problems.push(...repeated);
  return { state };
}

type Step = 'skip' | 'stop' | 'cancel' | { state: CellState };

function takeUpdate(state: CellState, update: CellFile, name: string, problems: Problem[]): Step {
  const say = (code: string, message: string): 'stop' => {
    problems.push({ code, message, file: update.name, severity: 'error' });
    return 'stop';
  };
  if (update.unreadable !== undefined) {
    return say('update-unreadable', `${update.unreadable}; it and later ones are left out`);
  }
  const raw = decodeFile(update.bytes, update.name);
  const { dataSet } = raw;
  if (dataSet === undefined) {
    problems.push(...raw.problems);
    return say(
      'update-unreadable',
      'the update has no DSID record; it and later ones are left out',
    );
  }
  if (raw.problems.length > 0) {
    problems.push(...raw.problems);
    return say(
      'update-truncated',
      'the update cannot be read whole; it and later ones are left out',
    );
  }
  if (!dataSet.name.toUpperCase().startsWith(name.toUpperCase())) {
    return say('update-foreign', `the update is for ${dataSet.name}, not for ${name}`);
  }
  const edition = number(dataSet.edition);
  if (edition === 0) return 'cancel';
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
  const counts = checkCounts(raw, update.name);
  if (counts.length > 0) {
    problems.push(...counts);
    return say('update-truncated', 'the update holds fewer records than it promises; left out');
  }
  try {
    return { state: applyUpdate(state, raw, dataSet) };
  } catch (error) {
    if (!(error instanceof UpdateConflict)) throw error;
    return say(error.code, `${error.message}; the update and later ones are left out`);
  }
}
