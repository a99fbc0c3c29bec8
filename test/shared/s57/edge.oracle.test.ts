// Damaged files and faulty update chains: each gives a cell or a problem, and nothing is lost silently.

import { describe, expect, test } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { encData, hasEncData } from '../../support/enc-data.ts';

interface Row {
  readonly name: string;
  /** Codes of all problems; empty for a sound cell. */
  readonly problems: readonly string[];
  /** `edition.update` of the cell, or `undefined` if it is rejected. */
  readonly cell?: string;
}

const broken = (name: string, ...problems: string[]): Row => ({ name, problems });
const LOST_LEADER = ['broken-leader', 'fewer-records', 'base-incomplete'];
const LOST_DIRECTORY = ['broken-directory', 'fewer-records', 'base-incomplete'];
const CUT_OFF = ['truncated-record', 'fewer-records', 'base-incomplete'];

const CORRUPT: readonly Row[] = [
  { name: 'all_objl_unknown', problems: ['other-name', 'unknown-class'], cell: '2.0' },
  broken('base_beyond_record', ...LOST_DIRECTORY),
  broken('bitrot_0', ...LOST_LEADER),
  broken(
    'bitrot_1',
    'broken-leader',
    'unexpected-format',
    'strange-record',
    ...LOST_LEADER.slice(1),
  ),
  broken('bitrot_2', ...LOST_LEADER),
  broken('bitrot_3', ...LOST_DIRECTORY),
  broken('bitrot_4', 'broken-directory', 'no-data-set'),
  broken('bitrot_5', 'broken-leader', 'strange-record', ...LOST_LEADER.slice(1)),
  broken('bitrot_6', 'broken-directory', 'strange-record', ...LOST_DIRECTORY.slice(1)),
  broken('bitrot_7', ...LOST_DIRECTORY),
  broken('comf_zero', 'bad-coordinate-factor'),
  broken('coords_extreme', 'other-name', 'position-outside-earth'),
  { name: 'dangling_fspt', problems: ['other-name', 'dangling-spatial', 'open-ring'], cell: '2.0' },
  broken('ddr_only', 'no-data-set'),
  broken('empty', 'empty-file', 'no-data-set'),
  broken('entrymap_00', ...LOST_LEADER),
  broken('entrymap_99', ...LOST_DIRECTORY),
  broken('leader_only', 'truncated-record', 'no-data-set'),
  broken('reclen_negative', ...LOST_LEADER),
  broken('reclen_too_long', ...CUT_OFF),
  broken('reclen_too_short', ...LOST_DIRECTORY),
  // Padding after the last record is allowed.
  { name: 'trailing_garbage', problems: ['other-name'], cell: '2.0' },
  broken('trunc_mid_record', ...CUT_OFF),
  // Truncated between two records: fewer than the counts, and an incomplete chart.
  broken('trunc_record_boundary', 'fewer-records', 'base-incomplete'),
  {
    name: 'vrpt_all_same_node',
    problems: ['other-name', 'open-ring', 'skin-mismatch'],
    cell: '2.0',
  },
];

const AUTOTEST: readonly Row[] = [
  { name: '1B5X02NE', problems: [], cell: '1.0' },
  broken('bug1526', 'no-parameters'),
  { name: 'bug2147_3R7D0889', problems: ['other-name', 'skin-mismatch'], cell: '1.0' },
  broken('fake_s57', 'unexpected-format', 'broken-record', 'no-data-set'),
  broken('fake_s57_update_dsid', 'no-parameters'),
  broken('fake_s57_variant_C151', 'unexpected-format', 'broken-record', 'no-data-set'),
];

const CHAINS: readonly (Row & { readonly folder: string })[] = [
  { folder: 'upd_base_missing', name: 'US5WA22M', problems: ['base-missing'] },
  { folder: 'upd_duplicate', name: 'US5WA22M', problems: ['update-duplicate'], cell: '40.1' },
  { folder: 'upd_first_missing', name: 'US5WA22M', problems: ['update-gap'], cell: '40.0' },
  { folder: 'upd_foreign', name: 'US5WA22M', problems: ['update-foreign'], cell: '40.0' },
  { folder: 'upd_gap', name: 'US5WA22M', problems: ['update-gap'], cell: '40.1' },
  {
    folder: 'upd_truncated',
    name: 'US5WA22M',
    problems: ['truncated-record', 'update-truncated'],
    cell: '40.3',
  },
];

const ROWS = [
  ...CORRUPT.map((row) => ({ ...row, folder: 'corrupt' })),
  ...AUTOTEST.map((row) => ({ ...row, folder: 'gdal_autotest' })),
  ...CHAINS,
];
/** Cell names are in capitals, whatever the file names. */
const cellName = (name: string) => name.toUpperCase();

describe.runIf(hasEncData)('damaged cells', () => {
  for (const { folder, name, problems, cell } of ROWS) {
    const outcome =
      problems.length === 0 ? 'is read without problems' : `reports ${problems.join(', ')}`;
    test(`${folder}/${name} ${outcome}`, async () => {
      const { cells } = await findCells([encData('edge', folder)]);
      const source = cells.find((found) => found.name === cellName(name));
      const result = readCell(await loadCell(source!));
      expect(result.problems.map(({ code }) => code)).toEqual(problems);
      const header = result.cell?.header;
      expect(header && `${header.edition}.${header.update}`).toBe(cell);
      for (const problem of result.problems) expect(problem.message).not.toBe('');
    });
  }

  test('the rows include every file of the folders', async () => {
    const folders = [...new Set(ROWS.map(({ folder }) => encData('edge', folder)))];
    for (const folder of folders) {
      const { cells } = await findCells([folder]);
      const rows = ROWS.filter((row) => folder.endsWith(row.folder)).map(({ name }) =>
        cellName(name),
      );
      expect(cells.map(({ name }) => name).sort()).toEqual(rows.sort());
    }
  });
});
