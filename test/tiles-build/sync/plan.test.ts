import { describe, expect, it } from 'vitest';
import { lostCells } from '../../../tiles-build/publish/lost-cells.ts';
import {
  type Box,
  boxAcrossAntimeridian,
  boxAround,
  boxesMeet,
} from '../../../tiles-build/sync/boxes.ts';
import type { OfferedCell } from '../../../tiles-build/sync/catalogue.ts';
import { readNoaaCatalogue } from '../../../tiles-build/sync/noaa-catalogue.ts';
import { type LocalZip, planSync } from '../../../tiles-build/sync/plan.ts';
import { isSelected, unmatchedCriteria } from '../../../tiles-build/sync/selection.ts';

const NONE = { all: false, cells: [], states: [], regions: [], districts: [], boxes: [] };
const ALL = { ...NONE, all: true };

const offered = (name: string, more: Partial<OfferedCell> = {}): OfferedCell => ({
  name,
  title: '',
  version: { edition: 3, update: 2 },
  isWithdrawn: false,
  url: `https://charts.example/${name}.zip`,
  bytes: undefined,
  zipTime: 'Monday',
  states: ['WA'],
  regions: ['15'],
  districts: ['13'],
  boxes: [],
  ...more,
});
const here = (edition: number, update: number, more: Partial<LocalZip> = {}): LocalZip => ({
  version: { edition, update },
  isReadable: true,
  zipTime: 'Monday',
  wasSynced: true,
  ...more,
});
const A = 'US5AA01M';

describe('planSync', () => {
  const cases: readonly [string, Partial<OfferedCell>, LocalZip | undefined, string][] = [
    ['a new cell', {}, undefined, 'fetch'],
    ['an older edition', {}, here(2, 9), 'fetch if changed'],
    ['fewer updates', {}, here(3, 1), 'fetch if changed'],
    ['the same version', {}, here(3, 2), 'keep'],
    ['a newer local version', {}, here(4, 0), 'keep'],
    ['the same version, zipped again', { zipTime: 'Friday' }, here(3, 2), 'fetch if changed'],
    [
      'the same version, not synced',
      { zipTime: 'Friday' },
      here(3, 2, { wasSynced: false }),
      'keep',
    ],
    ['an offer without edition', { version: undefined }, here(3, 2), 'fetch if changed'],
    ['a damaged zip', {}, here(0, 0, { version: undefined, isReadable: false }), 'fetch'],
    ['a cancelled cell', {}, here(0, 0, { version: undefined }), 'fetch if changed'],
    ['a withdrawn cell', { isWithdrawn: true }, here(3, 2), 'remove'],
    ['a withdrawn cell without a local zip', { isWithdrawn: true }, undefined, ''],
  ];
  it.each(cases)('decides for %s', (_what, more, own, expected) => {
    const plan = planSync({
      offered: [offered(A, more)],
      localZips: new Map(own === undefined ? [] : [[A, own]]),
      selection: ALL,
      removeUnselected: false,
    });
    const words = [
      ...plan.fetch.map(({ ifChanged }) => (ifChanged ? 'fetch if changed' : 'fetch')),
      ...plan.remove.map(() => 'remove'),
      ...plan.keep.map(() => 'keep'),
    ];
    expect(words.join()).toBe(expected);
  });
});

describe('isSelected', () => {
  const cell = offered(A, { boxes: [[-123, 47, -122, 48]] });
  it.each([
    ['its name, in any case', { cells: ['us5aa01m'] }, true],
    ['its state', { states: ['wa'] }, true],
    ['another state', { states: ['AK'] }, false],
    ['its region, with a zero before it', { regions: ['015'] }, true],
    ['its district', { districts: ['13'] }, true],
    ['a box around it', { boxes: [[-130, 40, -120, 50] as Box] }, true],
    ['a box that touches it', { boxes: [[-122, 47, -121, 48] as Box] }, true],
    ['a box elsewhere', { boxes: [[10, 40, 20, 50] as Box] }, false],
    ['one of several criteria', { states: ['AK'], cells: [A] }, true],
    ['nothing', {}, false],
  ])('compares %s', (_what, words, expected) => {
    expect(isSelected(cell, { ...NONE, ...words })).toBe(expected);
  });

  it('unmatchedCriteria lists criteria that match no cell', () => {
    const selection = { ...NONE, states: ['WA', 'WAA'], boxes: [[0, 0, 1, 1] as Box] };
    expect(unmatchedCriteria([cell], selection)).toEqual([
      'The catalogue has no cell of state WAA.',
      'The catalogue has no cell of box 0,0,1,1.',
    ]);
  });
});

describe('boxesMeet', () => {
  const fiji = boxAcrossAntimeridian([177, -20, -178, -15]);
  it.each([
    [
      'longitudes that continue beyond 180',
      [
        [176, -18],
        [183, -16],
      ],
      true,
    ],
    [
      'longitudes that continue beyond -180',
      [
        [-184, -18],
        [-177, -16],
      ],
      true,
    ],
    [
      'longitudes that jump',
      [
        [178, -18],
        [-179, -16],
      ],
      true,
    ],
    [
      'the other side of the world',
      [
        [2, -18],
        [3, -16],
      ],
      false,
    ],
    [
      'the whole world',
      [
        [-180, -80],
        [180, 80],
      ],
      true,
    ],
    [
      'a box that ends at 180',
      [
        [170, -18],
        [180, -16],
      ],
      true,
    ],
  ] as const)('handles %s', (_what, positions, expected) => {
    expect(boxesMeet(fiji, boxAround(positions)!)).toBe(expected);
  });
});

describe('readNoaaCatalogue', () => {
  const xml = (inside: string) =>
    `<EncProductCatalog><cell><name>${A}</name>${inside}</cell></EncProductCatalog>`;
  const read = (inside: string, zips?: string) =>
    readNoaaCatalogue(xml(inside), 'https://charts.example/ENCs/ENCProdCat.xml', zips).cells[0];

  it('accepts absolute, relative and mirror addresses, and rejects http after https', () => {
    expect(read('<zipfile_location>https://a.example/x.zip</zipfile_location>')?.url).toBe(
      'https://a.example/x.zip',
    );
    expect(read('<zipfile_location>x.zip</zipfile_location>')?.url).toBe(
      'https://charts.example/ENCs/x.zip',
    );
    expect(read('', 'https://mirror.example/e')?.url).toBe(`https://mirror.example/e/${A}.zip`);
    const insecure = read('<zipfile_location>http://a.example/x.zip</zipfile_location>');
    expect([insecure?.name, insecure?.url]).toEqual([A, undefined]);
    // A withdrawn cell needs no address.
    expect(read('<status>Cancelled</status>')?.isWithdrawn).toBe(true);
  });

  it('uses the newest entry of a cell that is listed several times', () => {
    const one = (edition: number) =>
      `<cell><name>${A}</name><zipfile_location>x.zip</zipfile_location><edtn>${edition}</edtn><updn>0</updn></cell>`;
    const text = `<EncProductCatalog>${one(3)}${one(5)}${one(4)}</EncProductCatalog>`;
    const { cells } = readNoaaCatalogue(text, 'https://charts.example/c.xml');
    expect(cells.map(({ version }) => version?.edition)).toEqual([5]);
  });

  it('limits entity expansion', () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1000)}">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i} "${`&a${i === 0 ? '' : i - 1};`.repeat(10)}">`).join('')}]>`;
    let cells: readonly OfferedCell[] = [];
    try {
      const text = `${bomb}${xml('<lname>&a8;</lname><zipfile_location>x.zip</zipfile_location>')}`;
      cells = readNoaaCatalogue(text, 'https://charts.example/c.xml').cells;
    } catch {
      // Rejecting the whole catalogue is also correct.
    }
    expect(cells.map(({ title }) => title.length).filter((length) => length > 1e6)).toEqual([]);
  });
});

describe('lostCells', () => {
  const build = (cells: Readonly<Record<string, string>>) =>
    ({ cells: Object.entries(cells).map(([name, status]) => ({ name, status })) }) as never;
  it('lists cells in force that the next build neither shows nor cancels', () => {
    const current = build({ A: 'used', B: 'used-partly', C: 'used', D: 'used', E: 'refused' });
    const next = build({ A: 'used', B: 'refused', C: 'cancelled', F: 'used' });
    expect(lostCells(current, next, () => true)).toEqual(['B', 'D']);
    expect(lostCells(current, next, (name) => name !== 'D')).toEqual(['B']);
  });
});
