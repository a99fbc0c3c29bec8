import { expect, test } from 'vitest';
import { entriesOf, hasWords, inOrder, pageRun } from '../../../shared/names/find-names.ts';
import type { NameEntry } from '../../../shared/names/name-page.ts';
import { plainName } from '../../../shared/names/name-text.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const entry = (name: string, more: Partial<NameEntry> = {}): NameEntry => ({
  key: plainName(name),
  name,
  classCode: 17,
  id: name,
  cell: 'XX5TEST',
  longitude: 0,
  latitude: 0,
  zoom: 13,
  scale: 20_000,
  ...more,
});
const order = (entries: readonly NameEntry[], typed: string, near?: [number, number]) =>
  inOrder(entries, {
    typed,
    near: near && { longitude: near[0], latitude: near[1] },
  }).map(({ name }) => name);

test('pageRun contains every page that can match', () => {
  const random = seededRandom(20_261_123);
  const letters = () => String.fromCharCode(97 + Math.floor(random() * 4));
  for (let round = 0; round < 300; round++) {
    const keys = Array.from({ length: 40 }, () => `aaa${letters()}${letters()}`).sort();
    const size = 5;
    const pages = Array.from({ length: 8 }, (_, i) => keys.slice(i * size, (i + 1) * size));
    const next = pages.slice(1).map(([first]) => first!);
    const typed = `aaa${letters()}`;
    const { from, to, isCut } = pageRun(next, typed);
    const found = pages
      .slice(from, to)
      .flatMap((page) => page.filter((key) => key.startsWith(typed)));
    expect([isCut, found]).toEqual([false, keys.filter((key) => key.startsWith(typed))]);
  }
});

test('pageRun reports if there are more pages than the limit', () => {
  const next = Array.from({ length: 20 }, (_, i) => `buoy ${String(i).padStart(2, '0')}`);
  expect(pageRun(next, 'buoy')).toEqual({ from: 0, to: 8, isCut: true });
  expect(pageRun(next, 'buoy 07')).toEqual({ from: 7, to: 9, isCut: false });
});

test('inOrder lists exact matches, then names that start with the text, whole words first', () => {
  const entries = ['Mid Boston', 'Bostonia', 'Boston Light', 'Boston'].map((name) => entry(name));
  expect(order(entries, 'boston')).toEqual(['Boston', 'Boston Light', 'Bostonia', 'Mid Boston']);
});

test('inOrder lists a place before the aids to navigation that are named after it', () => {
  const island = entry('Wick Island', { classCode: 71, longitude: 1 });
  const aids = [entry('Wick 3'), entry('Wick Light', { classCode: 75 })];
  expect(order([...aids, island], 'wick', [0, 0])[0]).toBe('Wick Island');
});

test('inOrder sorts equal matches by distance, also across 180°, or by scale', () => {
  const entries = [
    entry('Reef A', { longitude: 170, scale: 5000 }),
    entry('Reef B', { longitude: -179.9, scale: 9000 }),
    entry('Reef C', { longitude: 179, scale: 700 }),
  ];
  expect(order(entries, 'reef', [179.9, 0])).toEqual(['Reef B', 'Reef C', 'Reef A']);
  expect(order(entries, 'reef')).toEqual(['Reef B', 'Reef A', 'Reef C']);
});

test('inOrder returns an object found by several words once', () => {
  const twice = [entry('Rock Rock'), entry('Rock Rock', { key: 'rock' })];
  expect(entriesOf([{ next: [], entries: twice }], 'rock')).toHaveLength(2);
  expect(order(twice, 'rock')).toEqual(['Rock Rock']);
});

test('inOrder returns an object once if only one of its cells has a national name', () => {
  const harbour = entry('Vigo', { id: 'a', scale: 9000 });
  const approach = { id: 'b', cell: 'XX4TEST', national: 'Vigo Porto', longitude: 0.0001 };
  const national = entry('Vigo', { ...approach, key: 'vigo porto' });
  const isFound = (...entries: NameEntry[]) => order(entries, 'vig').length;
  expect(isFound(harbour, national)).toBe(1);
  expect(isFound(harbour, { ...national, longitude: 0.01 })).toBe(2);
  expect(isFound(harbour, { ...national, period: { ds: 20260101 } })).toBe(2);
  // Under a common key, the build would have merged them.
  expect(isFound(harbour, national, entry('Vigo', approach))).toBe(2);
});

test('hasWords matches words that are not adjacent', () => {
  const buoy = entry('Boston Main Channel Lighted Buoy 12', { national: 'Boya' });
  expect(hasWords(buoy, ['buo', 'boston', '12'])).toBe(true);
  expect(hasWords(buoy, ['boy'])).toBe(true);
  expect(hasWords(buoy, ['boston', '1'])).toBe(false);
});
