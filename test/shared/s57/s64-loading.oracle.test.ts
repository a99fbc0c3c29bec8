// The loading tests of IHO S-64 (edition 3.0.2, unencrypted sets): test, result of the standard, result of
// Leadline. The sets belong to the IHO and are not part of the project; without them the tests are skipped.

import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { portrayCell } from '../../../tiles-build/portray/portray-cell.ts';
import { encData } from '../../support/enc-data.ts';

const ROOT = encData('S64', 'unencrypted');
const POWER_UP = '2.1.1-Power-Up';
const EDITION_2 = '2.2.5-Good-Base-Cells';
const REISSUE = '2.2.6-Re-issue/GB5X01SW_RE-ISSUE';

interface Row {
  readonly test: string;
  /** Folders that are loaded, one after the other. */
  readonly sets: readonly string[];
  /** Result that the standard expects. */
  readonly standard: string;
  readonly cell: string;
  /** Edition and update that the cell has then; undefined if there is no chart. */
  readonly result: string | undefined;
  /** Codes of the problems that are reported for the cell. */
  readonly problems: readonly string[];
}

const TABLE: readonly Row[] = [
  ...['GB4X0000', 'GB5X01NE', 'GB5X01NW', 'GB5X01SE', 'GB5X01SW', 'GB5X02SE'].map((cell) => ({
    test: '2.1.1 power up',
    sets: [POWER_UP],
    standard: 'the cell is loaded',
    cell,
    result: '1.0',
    problems: [],
  })),
  {
    test: '2.1.5 corrupt data',
    sets: ['2.1.5-Loading-Corrupt-Data'],
    standard: 'the cell is rejected, as its CRC differs from the catalogue',
    cell: 'GB5X01NE',
    result: undefined,
    problems: ['checksum-differs'],
  },
  {
    test: '2.1.5 corrupt data and a loaded cell',
    sets: [POWER_UP, '2.1.5-Loading-Corrupt-Data'],
    standard: 'the file is rejected and the loaded cell stays',
    cell: 'GB5X01NE',
    result: '1.0',
    problems: [],
  },
  {
    test: '2.2.1 corrupt update',
    sets: [POWER_UP, '2.2.1-Corrupt-Update'],
    standard: 'update 1 is applied, update 2 and later ones are rejected',
    cell: 'GB5X01SW',
    result: '1.1',
    problems: ['checksum-differs'],
  },
  {
    test: '2.2.2 sequential updates',
    sets: [POWER_UP, '2.2.2-Loading-of-Updates'],
    standard: 'updates 1 to 5 are applied',
    cell: 'GB5X01SW',
    result: '1.5',
    problems: [],
  },
  {
    test: '2.2.3 invalid sequence, all files',
    sets: [POWER_UP, '2.2.3-Loading-of-Invalid-Sequence'],
    standard: 'updates 1 and 2 are applied, those out of sequence are rejected',
    cell: 'GB5X01SW',
    result: '1.2',
    problems: ['update-leaves-pointers'],
  },
  {
    test: '2.2.3 invalid sequence, update 3 after update 1',
    sets: [
      POWER_UP,
      '2.2.3-Loading-of-Invalid-Sequence/001',
      '2.2.3-Loading-of-Invalid-Sequence/003',
    ],
    standard: 'update 3 is rejected, as update 2 is missing',
    cell: 'GB5X01SW',
    result: '1.1',
    problems: ['update-gap'],
  },
  {
    test: '2.2.4 update of a new edition that is not loaded',
    sets: [POWER_UP, '2.2.4-Loading-of-New-Update'],
    standard: 'the update is rejected, as the cell is of another edition',
    cell: 'GB5X01SW',
    result: '1.0',
    problems: ['update-edition-mismatch'],
  },
  {
    test: '2.2.4 update of a new edition that is loaded',
    sets: [EDITION_2, '2.2.4-Loading-of-New-Update'],
    standard: 'the update is applied',
    cell: 'GB5X01SW',
    result: '2.1',
    // Its DSSI promises one edge and the file holds two.
    problems: ['record-count-mismatch'],
  },
  {
    test: '2.2.5 new edition over an updated cell',
    sets: [POWER_UP, '2.2.2-Loading-of-Updates', EDITION_2],
    standard: 'edition 2 replaces edition 1 and its updates',
    cell: 'GB5X01SW',
    result: '2.0',
    problems: Array.from({ length: 5 }, () => 'update-outdated'),
  },
  {
    test: '2.2.5 old update',
    sets: [EDITION_2, '2.2.5-Old-Update'],
    standard: 'the update of edition 1 is rejected, and edition 2 stays',
    cell: 'GB5X01SW',
    result: '2.0',
    problems: ['update-outdated'],
  },
  {
    test: '2.2.6 re-issue',
    sets: [POWER_UP, REISSUE],
    standard: 'the re-issue replaces the base; it contains updates 1 to 3',
    cell: 'GB5X01SW',
    result: '1.3',
    problems: [],
  },
  {
    test: '2.2.6 re-issue, update that it contains',
    sets: [REISSUE, '2.2.6-Re-issue/GB5X01SW_001'],
    standard: 'update 1 is rejected, as the re-issue contains it',
    cell: 'GB5X01SW',
    result: '1.3',
    problems: ['update-duplicate'],
  },
  {
    test: '2.2.6 re-issue, next update',
    sets: [REISSUE, '2.2.6-Re-issue/GB5X01SW_001', '2.2.6-Re-issue/GB5X01SW_004'],
    standard: 'update 4 is applied',
    cell: 'GB5X01SW',
    result: '1.4',
    problems: ['update-duplicate'],
  },
  {
    test: '2.2.7 cancellation',
    sets: [POWER_UP, '2.2.7-Cancellation'],
    standard: 'the cell is withdrawn',
    cell: 'GB4X0000',
    result: 'cancelled',
    problems: ['cancellation-predates-base'],
  },
  {
    test: '3.2 invalid object, attribute and value',
    sets: ['3.2-Invalid-Object/Invalid Base'],
    standard: 'the cell is loaded, and the unknown object is a question mark',
    cell: 'GB5X01NE',
    result: '1.0',
    problems: ['unknown-class', 'unknown-attribute', 'unknown-value'],
  },
  {
    test: '3.2 invalid object, every shape',
    sets: ['3.2-Invalid-Object'],
    standard: 'the cell is loaded, and unknown objects are question marks',
    cell: 'AA3INVOB',
    result: '1.0',
    problems: ['unknown-class', 'unknown-attribute'],
  },
];

async function load(sets: readonly string[], cell: string) {
  const { cells } = await findCells(sets.map((set) => `${ROOT}/${set}`));
  return readCell(await loadCell(cells.find(({ name }) => name === cell)!));
}

describe.runIf(existsSync(ROOT))('S-64 loading tests', () => {
  for (const { test, sets, standard, cell: name, result, problems } of TABLE) {
    it(`${test}, ${name}: ${standard}`, async () => {
      const { cell, cancelled, problems: found } = await load(sets, name);
      const version = cell && `${cell.header.edition}.${cell.header.update}`;
      expect(cancelled ? 'cancelled' : version).toBe(result);
      expect(found.map(({ code }) => code)).toEqual(problems);
    });
  }

  it('2.2.3 gives the same chart as its two valid updates alone', async () => {
    const folder = '2.2.3-Loading-of-Invalid-Sequence';
    const all = await load([POWER_UP, folder], 'GB5X01SW');
    const valid = await load([POWER_UP, `${folder}/001`, `${folder}/002`], 'GB5X01SW');
    expect(all.cell).toEqual(valid.cell);
  });

  it('2.2.6 gives the same objects by the re-issue and update 4 as by four updates', async () => {
    const next = '2.2.6-Re-issue/GB5X01SW_004';
    const reissued = await load([REISSUE, next], 'GB5X01SW');
    const updates = [1, 2, 3, 4].map((i) => `2.2.2-Loading-of-Updates/ENC_ROOT/GB5X01SW.00${i}`);
    const updated = await load([`${POWER_UP}/ENC_ROOT/GB5X01SW.000`, ...updates], 'GB5X01SW');
    const objects = ({ cell }: typeof updated) =>
      cell!.features
        .map(({ id, acronym, attributes }) => JSON.stringify([id, acronym, attributes]))
        .sort();
    expect(objects(reissued)).toEqual(objects(updated));
  });

  it.each([
    ['3.2-Invalid-Object/Invalid Base', 'GB5X01NE', ['point']],
    ['3.2-Invalid-Object', 'AA3INVOB', ['area', 'line', 'point']],
  ] as const)(
    '%s, %s: draws a question mark for each unknown object',
    async (set, name, shapes) => {
      const { cell } = await load([set], name);
      const unknown = cell!.features.filter(({ acronym }) => acronym.startsWith('$'));
      expect(unknown.map(({ primitive }) => primitive).sort()).toEqual(shapes);
      const drawn = portrayCell(cell!);
      const marks = drawn.filter(({ properties }) => properties['sy'] === 'QUESMRK1');
      expect(marks.length).toBe(unknown.length);
      // The mark of a line is in AREASYM, as it stands once for all its tiles.
      const classes = new Set(drawn.map(({ properties }) => properties['cls']));
      for (const { acronym } of unknown) expect(classes).toContain(acronym);
    },
  );

  it('3.2 draws the buoys with an unknown attribute or value, and keeps their attributes', async () => {
    const { cell } = await load(['3.2-Invalid-Object/Invalid Base'], 'GB5X01NE');
    const strange = cell!.features.filter(
      ({ attributes }) => attributes['$777'] !== undefined || attributes['BOYSHP'] === 555,
    );
    expect(strange.map(({ acronym }) => acronym).sort()).toEqual(['BOYLAT', 'BOYSPP']);
    const keys = new Set(portrayCell({ ...cell!, features: strange }).map(({ layer }) => layer));
    expect(keys).toEqual(new Set(['BOYLAT', 'BOYSPP']));
  });
});
