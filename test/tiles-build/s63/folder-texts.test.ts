// The texts of deliveries in many folders: which of them a file belongs to.

import { expect, it, test } from 'vitest';
import { folderTexts } from '../../../tiles-build/s63/folder-texts.ts';
import { NO_LICENCE } from '../../../tiles-build/s63/unlock.ts';

const CELL = 'US5AA01M';

it('NO_LICENCE finds the deliveries of many folders in little time', async () => {
  const [serial, none] = [Buffer.from('AA 20260101'), async () => new Uint8Array(0)];
  const names = Array.from({ length: 20_000 }, (_, i) => `set.zip:a${i}/`);
  const texts = names.map((folder) => {
    return { name: 'SERIAL.ENC', origin: `${folder}SERIAL.ENC`, read: async () => serial };
  });
  const files = names.map((folder) => {
    return { name: `${CELL}.001`, origin: `${folder.replace('a', 'b')}${CELL}.001`, read: none };
  });
  const lists = names.slice(0, 5000).map((folder) => {
    const origin = `${folder.replace(':a', ':c')}INFO/PRODUCTS.TXT`;
    return { name: 'PRODUCTS.TXT', origin, read: none };
  });
  const start = performance.now();
  const { files: plain } = await NO_LICENCE(files, [...texts, ...lists]);
  expect(performance.now() - start).toBeLessThan(5000);
  expect(plain).toHaveLength(files.length);
});

test.each([
  ['a/ENC_ROOT/X.000', 'inner'],
  ['a/b/X.000', 'outer'],
  ['a\\X.000', undefined],
  ['MY/X.000', undefined],
  ['MYINFO/X.000', 'own'],
])('folderTexts finds the text above %s', (path, content) => {
  const texts = folderTexts([
    { prefix: 'a/ENC_ROOT/', content: 'inner' },
    { prefix: 'MYINFO/', content: 'own' },
    { prefix: 'a/', content: 'outer' },
  ]);
  expect(texts.above(path)).toBe(content);
  expect(texts.near('a/')).toBe('inner');
  expect(texts.near('')).toBe('inner');
  expect(texts.near('b/')).toBeUndefined();
});
