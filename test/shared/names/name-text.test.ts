import { expect, test } from 'vitest';
import { bucketText, keyBegins, keysOf, plainName } from '../../../shared/names/name-text.ts';

test.each([
  ['Wick 5/3/1', 'wick 5 3 1'],
  ['  PORT   Town-send ', 'port town send'],
  ["O'Brien’s Rock", 'o briens rock'],
  ['Land´s End', 'lands end'],
  ["L'Aigle", 'l aigle'],
  ['Għallis', 'ghallis'],
  ['Tromsø', 'tromso'],
  ['Świnoujście', 'swinoujscie'],
  ['Großer Belt', 'grosser belt'],
  ['Þórshöfn', 'thorshofn'],
  ['İstanbul Boğazı', 'istanbul bogazi'],
  ['Кронштадт', 'кронштадт'],
  ['ΜΕΣ', 'μεσ'],
  ['Πόρος', 'ποροσ'],
  ['東京湾', '東 京 湾'],
  ['부산항', '부 산 항'],
  ['Kaʻena', 'ka ena'],
  ['Марʼянівка', 'мар янівка'],
  ['No. ⅔', 'no 2 3'],
  ['—', ''],
])('the name %s is compared as “%s”', (name, plain) => {
  expect(plainName(name)).toBe(plain);
  expect(plainName(plain)).toBe(plain);
});

test('keysOf returns the name starting at each word', () => {
  expect(keysOf('boston inner harbor')).toEqual(['boston inner harbor', 'inner harbor', 'harbor']);
  expect(keysOf('')).toEqual([]);
  expect(keysOf(Array.from({ length: 100 }, () => 'word').join(' '))).toHaveLength(12);
});

test.each([
  ['boston inner', 'bos', true],
  ['boston inner', 'boston in', true],
  ['boston inner', 'boston i', true],
  ['boston inner', 'inner', false],
  ['bo peep', 'bo', true],
  ['bo peep', 'bo pe', true],
  ['12', '12', true],
  // Words of two letters match only as a whole.
  ['120', '12', false],
  ['120', '120', true],
])('the key “%s” begins with “%s”: %s', (key, typed, begins) => {
  expect(keyBegins(key, typed)).toBe(begins);
});

test('bucketText is equal for a key and its prefixes', () => {
  for (const key of ['boston inner harbor', 'bo peep', '12', '12 a', '東 京', 'кронштадт']) {
    for (let length = 1; length <= key.length; length++) {
      const typed = key.slice(0, length).trim();
      if (keyBegins(key, typed))
        expect([typed, bucketText(typed)]).toEqual([typed, bucketText(key)]);
    }
  }
});
