// Reads one cell from the bytes of its base file and updates. Never throws on bad data: returns the cell
// up to the last valid update, and a list of problems.

import type { Problem, ReadResult } from '../cell/cell.ts';
import { valueMeaning } from '../vocabulary/attribute-values.ts';
import { applyUpdates } from './apply-updates.ts';
import { assembleCell, METERS_PER_ACCURACY, REPEATED_EDGES } from './assemble.ts';
import type { CellFile, CellFiles } from './cell-files.ts';
import { checkCounts, fitsLess, SKIN_TOLERANCE, skinDeviation } from './checks.ts';
import { decodeFile } from './decode.ts';
import { isOverlay } from './scale-and-band.ts';
import { baseState } from './state.ts';
import { isFor, misfitOfState, type Taken } from './take-update.ts';
import { faultOfPlace, faultOfUnits, faultsOf } from './whole-cell.ts';

/** HDAT, DUNI and HUNI (S-57 Part 3, clause 7.3.2.1). */
const WGS_84 = 2;
const METERS = 1;
const LAST_DEPTH_UNIT = 4;
const LAST_HEIGHT_UNIT = 2;

/**
 * Read a base cell and apply its updates in sequence (S-57 Appendix B.1, clause 5.7). An update that
 * cannot be read or applied ends the sequence. A cancellation is effective at any position, unless it was
 * issued before the base and does not follow the last update: then it belongs to an earlier edition.
 *
 * @returns the cell up to its last valid update, or the reasons why there is no cell
 */
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
  checkSums(files, problems);
  const opened = openBase(files.base, problems, files.acceptBadChecksums === true);
  const { state, countsMatch, cancelled } = applyUpdates(files, opened, problems);
  if (cancelled) return { name: files.name, cancelled, problems };
  if (state === undefined) return failed();

  const { cell, problems: found } = assembleCell(state, files.name);
  for (const problem of found) problems.push({ ...problem, file: files.base.name });
  if (found.some(({ code }) => code === REPEATED_EDGES)) return failed();
  const fault = faultOfPlace(cell) ?? faultOfUnits(cell, state.parameters);
  if (fault !== undefined) {
    say(fault.code, `${fault.message}, so it is not used`, files.base.name);
    return failed();
  }
  if (cell.header.scaleDenominator === 0) {
    say(
      'no-scale',
      'the cell has neither a compilation scale (CSCL) nor a usage band (INTU) and is not used',
      files.base.name,
    );
    return failed();
  }
  for (const problem of faultsOf(cell)) problems.push({ ...problem, file: files.base.name });
  const deviation = skinDeviation(cell);
  if (!(deviation <= SKIN_TOLERANCE)) {
    const percent = (share: number) => `${(share * 100).toFixed(3)} %`;
    const fact = `the Group 1 areas differ from the coverage by ${percent(deviation)}`;
    const before = deviationOfBase(files.base, files);
    if (deviation > before + SKIN_TOLERANCE) {
      say(
        'skin-mismatch',
        `${fact} after the updates, and by ${percent(before)} before`,
        files.base.name,
      );
    } else say('skin-mismatch', fact, files.base.name, 'warning');
  }
  return {
    name: files.name,
    cell,
    cancelled: false,
    checks: { recordCountsMatch: countsMatch, skinDeviation: deviation },
    problems,
  };
}

/** `skinDeviation` without the updates. The base is read again, because few cells need it. */
function deviationOfBase(base: CellFile, { name, acceptBadChecksums }: CellFiles): number {
  const opened = openBase(base, [], acceptBadChecksums === true);
  return opened === undefined ? 0 : skinDeviation(assembleCell(opened.state, name).cell);
}

/** Report bad checksums of the base, and of updates if bad checksums are accepted. */
function checkSums(files: CellFiles, problems: Problem[]): void {
  const isAccepted = files.acceptBadChecksums === true;
  for (const file of [files.base, ...files.updates]) {
    if (file?.badChecksum === undefined || (file !== files.base && !isAccepted)) continue;
    problems.push({
      code: 'checksum-differs',
      message: `${file.badChecksum}; ${isAccepted ? 'it is used, because bad checksums are accepted' : 'the cell is refused'}`,
      file: file.name,
      severity: isAccepted ? 'warning' : 'error',
    });
  }
}

function openBase(
  base: CellFile,
  problems: Problem[],
  acceptsBadChecksum: boolean,
): Taken | undefined {
  if (base.badChecksum !== undefined && !acceptsBadChecksum) return undefined;
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
  for (const problem of raw.problems) problems.push(problem);
  const refuse = (code: string, message: string) => {
    problems.push({ code, message, file: base.name, severity: 'error' });
    return undefined;
  };
  if (raw.dataSet === undefined) return refuse('no-data-set', 'the file has no DSID record');
  if (raw.parameters === undefined) return refuse('no-parameters', 'the file has no DSPM record');
  if (isOverlay(base.name, raw.dataSet.usageBand)) {
    return refuse(
      'overlay-cell',
      'the cell is an overlay of other charts, which is not supported, so it is not used',
    );
  }
  const { coordinateFactor, soundingFactor, coordinateUnit } = raw.parameters;
  if (coordinateFactor === 0)
    return refuse('bad-coordinate-factor', 'COMF is 0, so coordinates are unknown');
  if (coordinateUnit !== 1) {
    return refuse('bad-coordinate-unit', `COUN is ${coordinateUnit}; expected 1 (degrees)`);
  }
  const { horizontalDatum, depthUnit, heightUnit, accuracyUnit } = raw.parameters;
  if (horizontalDatum !== WGS_84 && horizontalDatum !== 0) {
    const datum = valueMeaning('HORDAT', horizontalDatum) ?? 'unknown';
    return refuse(
      'bad-horizontal-datum',
      `HDAT is ${horizontalDatum} (${datum}); expected ${WGS_84} (WGS 84)`,
    );
  }
  if (depthUnit > LAST_DEPTH_UNIT || heightUnit > LAST_HEIGHT_UNIT) {
    return refuse(
      'bad-unit',
      `DUNI is ${depthUnit} and HUNI is ${heightUnit}; expected 1 to ${LAST_DEPTH_UNIT} and 1 to ${LAST_HEIGHT_UNIT}`,
    );
  }
  const warn = (code: string, message: string) =>
    problems.push({ code, message, file: base.name, severity: 'warning' });
  const parameters = {
    ...raw.parameters,
    soundingFactor: soundingFactor || 10,
    horizontalDatum: WGS_84,
    depthUnit: depthUnit || METERS,
    heightUnit: heightUnit || METERS,
    accuracyUnit: accuracyUnit || METERS,
  };
  if (soundingFactor === 0) warn('bad-sounding-factor', 'SOMF is 0; read as 10');
  if (horizontalDatum === 0) warn('no-horizontal-datum', 'HDAT is 0; read as WGS 84');
  if (depthUnit === 0) warn('no-depth-unit', 'DUNI is 0; read as metres');
  if (heightUnit === 0) warn('no-height-unit', 'HUNI is 0; read as metres');
  if (accuracyUnit !== 0 && METERS_PER_ACCURACY[accuracyUnit] === undefined) {
    warn(
      'bad-accuracy-unit',
      `PUNI is ${accuracyUnit}; accuracies of positions are read as metres`,
    );
  }
  const counts = checkCounts(raw, base.name);
  if (counts.problem !== undefined) problems.push(counts.problem);
  // Missing objects would look like open water. A coarser chart is safer than an incomplete one.
  if (raw.problems.length > 0) {
    return refuse('base-incomplete', 'the base cell cannot be read completely and is not used');
  }
  const { state, problems: repeated } = baseState(raw, raw.dataSet, parameters, base.name);
  for (const problem of repeated) problems.push(problem);
  if (repeated.length > 0) {
    return refuse(
      'base-incomplete',
      'the base cell contains several records with the same id, so it is not used',
    );
  }
  if (counts.holdsLess && fitsLess(misfitOfState(state, base.name))) {
    return refuse(
      'base-incomplete',
      'the base cell has fewer records than DSSI states and is inconsistent, so it is not used',
    );
  }
  const { name } = raw.dataSet;
  if (name.trim() !== '' && !isFor(base.name.slice(0, -'.000'.length), name)) {
    warn('other-name', `the file is the data set ${name}: it may have the name of another cell`);
  }
  return { state, countsMatch: counts.problem === undefined };
}
