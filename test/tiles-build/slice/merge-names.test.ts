// Buckets of names merged from many cells: entries of the same thing become one, and no others.

import { expect, test } from 'vitest';
import {
  MAX_PAGES,
  type NameEntry,
  type NamePage,
  pageText,
  readPage,
} from '../../../shared/names/name-page.ts';
import { NamesJoin } from '../../../tiles-build/slice/merge-names.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const mark = (name: string, longitude: number, more: Partial<NameEntry> = {}): NameEntry => ({
  key: name.toLowerCase(),
  name,
  classCode: 17,
  id: `${name}@${longitude}`,
  cell: 'XX5TEST',
  longitude,
  latitude: 50,
  zoom: 13,
  scale: 20_000,
  ...more,
});
const area = (name: string, bounds: readonly [number, number, number, number], more = {}) =>
  mark(name, bounds[0], { bounds, ...more });

const merged = (...fragments: readonly (readonly NameEntry[])[]): NamePage[] =>
  pagesOf(new NamesJoin(), fragments);
function pagesOf(join: NamesJoin, fragments: readonly (readonly NameEntry[])[]): NamePage[] {
  for (const entries of fragments) join.add(Buffer.from(pageText({ next: [], entries })));
  return Array.from(join.finish(), (bytes) => readPage(Buffer.from(bytes).toString()));
}
const namesOf = (pages: readonly NamePage[]) =>
  pages.flatMap(({ entries }) => entries.map(({ name, longitude }) => `${name} ${longitude}`));

test('a light and its buoy become one entry, like the parts of a bay in two cells', () => {
  const pages = merged(
    [mark('Wick 1', 10), mark('Wick 1', 10.0001, { classCode: 75 })],
    [area('Wick Bay', [10, 49, 11, 50]), area('Wick Bay', [11, 49.2, 12, 50], { cell: 'XX5NEXT' })],
  );
  expect(namesOf(pages)).toEqual(['Wick 1 10', 'Wick Bay 10']);
  expect(pages[0]!.entries[1]!.bounds).toEqual([10, 49, 12, 50]);
});

test('an entry has the national name that only another cell gives', () => {
  const national = { national: 'Baie', cell: 'XX5NEXT' };
  const [page] = merged([mark('Bay', 10)], [mark('Bay', 10.0001, national)]);
  expect(page!.entries.map(({ cell, national }) => [cell, national])).toEqual([
    ['XX5TEST', 'Baie'],
  ]);
});

test('a light of other days does not stand for its successor', () => {
  const pages = merged([
    mark('Mole Head', 10, { id: 'a', period: { de: 20251231 } }),
    mark('Mole Head', 10, { id: 'b', period: { ds: 20260101 } }),
  ]);
  expect(pages.flatMap(({ entries }) => entries.map(({ period }) => period))).toEqual([
    { de: 20251231 },
    { ds: 20260101 },
  ]);
});

test('an object in several cells becomes one entry, in any order of its parts', () => {
  const parts = [
    area('Great Bay', [1, 49, 3, 50], { id: '1.2.3', scale: 90_000 }),
    area('Great Bay', [3.5, 49, 5, 50.5], { id: '1.2.3' }),
    area('Great Bay', [3, 49.9, 3.5, 50], { id: '1.2.3' }),
  ];
  for (const order of [
    [0, 1, 2],
    [2, 0, 1],
    [1, 2, 0],
  ]) {
    const pages = merged(...order.map((i) => [parts[i]!]));
    expect(pages[0]!.entries.map(({ bounds, scale }) => [bounds, scale])).toEqual([
      [[1, 49, 5, 50.5], 90_000],
    ]);
  }
});

test.each([
  ['marks', mark('Moved', 10, { id: '1.2.3' }), mark('Moved', 10.5, { id: '1.2.3' })],
  [
    'areas',
    area('Moved', [10, 49, 11, 50], { id: '1.2.3' }),
    area('Moved', [38.125, 49, 39.125, 50], { id: '1.2.3' }),
  ],
  [
    'areas on both sides of 180°',
    area('Moved', [179, 49, 179.5, 50], { id: '1.2.3' }),
    area('Moved', [-179.5, 49, -179, 50], { id: '1.2.3' }),
  ],
])('%s with one feature id that are far apart remain separate entries', (_, one, other) => {
  const [page] = merged([one], [other]);
  const places = page!.entries.map(({ longitude, bounds }) => [longitude, bounds]);
  expect(places).toHaveLength(2);
  expect(new Set(places.map(String))).toEqual(
    new Set([one, other].map(({ longitude, bounds }) => String([longitude, bounds]))),
  );
});

test('things of one name at two places remain two, also on both sides of 180°', () => {
  expect(namesOf(merged([mark('12', 10)], [mark('12', 10.01)]))).toEqual(['12 10', '12 10.01']);
  const east = area('Date Reef', [179.5, 49, 180, 50]);
  const west = area('Date Reef', [-180, 49, -179.5, 50]);
  const [page] = merged([east], [west]);
  expect(page!.entries.map(({ bounds }) => bounds)).toEqual([[179.5, 49, -179.5, 50]]);
  expect(namesOf(merged([mark('12', 179.99)], [mark('12', -179.98)]))).toHaveLength(2);
});

test('a town whose position on an overview chart is off by two kilometres becomes one entry, at the position of the finer chart', () => {
  const overview = mark('Tacoma', -122.462, { latitude: 47.219, scale: 3_500_000, zoom: 6 });
  const harbour = area('Tacoma', [-122.521, 47.236, -122.358, 47.307], { scale: 25_000, zoom: 14 });
  const light = mark('Tacoma', -122.8, { latitude: 47.2, scale: 25_000 });
  const [page] = merged([overview], [harbour, light]);
  expect(page!.entries.map(({ zoom, longitude }) => [zoom, longitude])).toEqual([
    [14, -122.521],
    [13, -122.8],
  ]);
});

test('the order of cells does not change the result', () => {
  const random = seededRandom(7);
  const fragments = Array.from({ length: 12 }, (_, cell) =>
    Array.from({ length: 40 }, () =>
      mark(`Rock ${Math.floor(random() * 9)}`, Math.floor(random() * 50) / 2000, {
        cell: `XX5T${cell}`,
      }),
    ),
  );
  const bytes = (list: readonly (readonly NameEntry[])[]) => JSON.stringify(merged(...list));
  expect(bytes([...fragments].reverse())).toBe(bytes(fragments));
});

test('a bucket with very many names is divided into ordered pages that record their first name', () => {
  const entries = Array.from({ length: 9000 }, (_, i) => mark(`Buoy ${i}`, i / 1000));
  const pages = merged(entries);
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.length).toBeLessThanOrEqual(MAX_PAGES);
  const keys = pages.flatMap((page) => page.entries.map(({ key }) => key));
  expect(keys).toEqual(entries.map(({ key }) => key).sort());
  expect(pages[0]!.next).toEqual(pages.slice(1).map((page) => page.entries[0]!.key));
});

test('a bucket with too many names keeps the most important, and marks its first page', () => {
  const fragments = Array.from({ length: 30 }, (_, cell) =>
    Array.from({ length: 20 }, (_, i) => mark(`Buoy ${cell} ${i}`, cell, { scale: 1000 + cell })),
  );
  const [page] = pagesOf(new NamesJoin(100), fragments);
  expect([page!.isCut, page!.entries.length]).toEqual([true, 100]);
  expect(Math.min(...page!.entries.map(({ scale }) => scale))).toBe(1025);
  expect(merged(...fragments)[0]!.isCut).toBe(false);
});

test('60,000 marks of one name, too many for pages of the usual size, fit into the pages', () => {
  const entries = Array.from({ length: 60_000 }, (_, i) => mark('1', i / 1000, { key: '1' }));
  const pages = merged(entries);
  expect(pages.length).toBeLessThanOrEqual(MAX_PAGES);
  expect(pages.reduce((sum, page) => sum + page.entries.length, 0)).toBe(60_000);
});
