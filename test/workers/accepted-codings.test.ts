import { expect, it } from 'vitest';
import { acceptedCodings } from '../../workers/service/http/accepted-codings.ts';

it.each<[string | undefined, string[]]>([
  [undefined, []],
  ['', []],
  ['br', ['br']],
  ['gzip', ['gzip']],
  ['x-gzip', ['gzip']],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['GZIP;Q=0.5, BR;q=0.2', ['gzip', 'br']],
  ['br;q=0, gzip', ['gzip']],
  ['br ; q=0.000 , gzip ; q=0.001', ['gzip']],
  ['*', ['br', 'gzip']],
  ['*;q=0', []],
  ['*;q=0.5, br;q=0', ['gzip']],
  ['*;q=0, gzip', ['gzip']],
  ['identity', []],
  ['identity, br;q=0.5', []],
  ['identity;q=0.5, br;q=1.0', ['br']],
  ['identity;q=0, br', ['br']],
  ['br;q=2', []],
  ['br;q=abc, gzip', ['gzip']],
  ['brotli, gzipped', []],
  ['deflate', []],
])('returns the codings that %j accepts, best first', (header, expected) => {
  expect(acceptedCodings(header, ['br', 'gzip'])).toEqual(expected);
});
