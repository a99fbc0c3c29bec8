// The inputs of the tests of IHO S-64 for encrypted charts. Their results are in the README of `tiles-build/s63`.
// Paths are below the folder of the encrypted test data.

import { readFileSync } from 'node:fs';

export interface S64Input {
  readonly permits: readonly string[];
  /** Installed certificates and keys. */
  readonly keys: readonly string[];
  /** Exchange sets, loaded together. */
  readonly sets: readonly string[];
  /** Day on which licences are checked, yyyymmdd. */
  readonly day: string;
}

const L = '2-licensing';
const A = '4-authentication';
const B = '5-authentication';
const D = '6-decryption';
const M = '7-management';
const X = '8-media';
/** A certificate of the IHO, and a day in its validity and that of most permits. */
const IHO = `${B}/5a/IHO.CRT`;
const DAY = '20130601';

/** By default the permits and the set of a folder. */
const input = (folder: string, more: Partial<S64Input> = {}): S64Input => ({
  permits: [`${folder}/PERMIT.TXT`],
  keys: [IHO],
  sets: [`${folder}/V01X01`],
  day: DAY,
  ...more,
});

/** By the name of the test. */
export const S64_INPUTS: Readonly<Record<string, S64Input>> = {
  '2a, no permits': input(`${L}/2a`, { sets: [] }),
  '2a, another text': input(`${L}/2a`, { permits: [`${L}/2a/TEXT.TXT`], sets: [] }),
  '2b': input(`${L}/2b`),
  '2c, first': input(`${L}/2c/1`, { sets: [`${L}/2b/V01X01`] }),
  '2c, second': input(`${L}/2c/2`, { sets: [`${L}/2b/V01X01`] }),
  '2d': input(`${L}/2d`, { sets: [`${A}/4c/V01X01`], day: '20121203' }),
  '2e': input(`${L}/2e`, { sets: [`${A}/4c/V01X01`] }),
  '2f': input(`${L}/2f`, { sets: [] }),
  '2g': input(`${L}/2g/DS1`, {
    permits: [`${L}/2g/DS1/PERMIT.TXT`, `${L}/2g/DS2/PERMIT.TXT`],
    sets: [],
  }),
  '4a': input(`${A}/4a`, { keys: [`${A}/4a/UKHO.CRT`], day: '20100101' }),
  '4a, public key': input(`${A}/4a`, { keys: [`${A}/4a/UKHO.PUB`] }),
  '4b': input(`${A}/4b`, { keys: [`${A}/4a/UKHO.PUB`, `${A}/4b/IHO.CRT`] }),
  '4c': input(`${A}/4c`, { keys: [] }),
  '4d, expired': input(`${A}/4d/Expired`, { keys: [`${A}/4d/Expired/IHO.CRT`] }),
  '4d, current': input(`${A}/4d/Current`, { keys: [`${A}/4d/Current/IHO.CRT`] }),
  '4e, certificate': input(`${A}/4e`, { keys: [`${A}/4e/IHO.CRT`] }),
  '4e, public key': input(`${A}/4e`, { keys: [`${A}/4e/IHO.PUB`] }),
  '4f, first': input(`${A}/4f/DS1`, { keys: [`${A}/4f/DS1/IHO.CRT`] }),
  '4f, second': input(`${A}/4f/DS2`, { keys: [`${A}/4f/DS2/IHO.CRT`], day: '20100101' }),
  '5a': input(`${B}/5a`),
  '5b': input(`${B}/5b`, { keys: [`${B}/5b/NONSA.PUB`] }),
  '5c': input(`${B}/5c`),
  '5d': input(`${B}/5c`, { sets: [`${B}/5d/V01X01`] }),
  '5e': input(`${B}/5e`),
  '5f': input(`${B}/5f`),
  '6a': input(`${D}/6a`),
  '6b': input(`${D}/6a`, { sets: [`${D}/6b/V01X01`], day: '20121210' }),
  '6c': input(`${D}/6c`),
  '6d': input(`${D}/6d`),
  '6e': input(`${D}/6e/V01X01`, {
    keys: [`${D}/6e/V01X01/IHO.CRT`],
    sets: [`${D}/6e/V01X01`],
    day: '20150301',
  }),
  '7a': input(`${M}/7a/DS1`, {
    permits: [`${M}/7a/DS1/PERMIT.TXT`, `${M}/7a/DS2/PERMIT.TXT`],
    sets: [`${M}/7a/DS1/V01X01`, `${M}/7a/DS2/V01X01`],
  }),
  '7b': input(`${M}/7a/DS1`, {
    permits: [`${M}/7a/DS1/PERMIT.TXT`, `${M}/7a/DS2/PERMIT.TXT`, `${M}/7b/PERMIT.TXT`],
    sets: [`${M}/7a/DS1/V01X01`, `${M}/7a/DS2/V01X01`, `${M}/7b/V01X01`],
  }),
  '7c, permits of one': input(`${M}/7c/DS1`, { sets: [`${M}/7c/DS2/V01X01`] }),
  '7c, permits of both': input(`${M}/7c/DS1`, {
    permits: [`${M}/7c/DS1/PERMIT.TXT`, `${M}/7c/DS2/PERMIT.TXT`],
    sets: [`${M}/7c/DS1/V01X01`, `${M}/7c/DS2/V01X01`],
  }),
  '7d': input(`${M}/7d`, { sets: [`${M}/7d/Base/V01X01`, `${M}/7d/Update/V01X01`] }),
  '7e': input(`${M}/7e`, { sets: [`${M}/7e/Base/V01X01`, `${M}/7e/Update/V01X01`] }),
  '7f': input(`${M}/7f`, { sets: [`${M}/7f/Base/V01X01`, `${M}/7f/Update/V01X01`] }),
  '7g': input(`${M}/7g`, {
    sets: [
      `${M}/7g/BASE 1 WK23_07`,
      `${M}/7g/BASE 2 WK30_06`,
      `${M}/7g/BASE 3 WK27_07`,
      `${M}/7g/UPDATE WK37_07`,
    ],
  }),
  '7i, update only': input(`${M}/7i`, { sets: [`${M}/7i/UPDATE WK19_07`] }),
  '7i': input(`${M}/7i`, {
    sets: [
      `${M}/7i/BASE 1 WK28_06`,
      `${M}/7i/BASE 2 WK30_06`,
      `${M}/7i/BASE 3 WK32_06`,
      `${M}/7i/UPDATE WK19_07`,
    ],
  }),
  '7j, first purchase': input(`${M}/7j/Purchase 1`, {
    sets: [
      `${M}/7j/Purchase 1/BASE 1 WK28_06`,
      `${M}/7j/Purchase 1/BASE 3 WK32_06`,
      `${M}/7j/Purchase 1/UPDATE WK19_07`,
    ],
  }),
  '7j, second purchase': input(`${M}/7j/Purchase 1/BASE 1 WK28_06`, {
    permits: [`${M}/7j/Purchase 1/PERMIT.TXT`, `${M}/7j/Purchase 2/PERMIT.TXT`],
    sets: [
      `${M}/7j/Purchase 1/BASE 1 WK28_06`,
      `${M}/7j/Purchase 1/UPDATE WK19_07`,
      `${M}/7j/Purchase 2/BASE 2 WK25_07`,
      `${M}/7j/Purchase 2/BASE 3 WK27_07`,
      `${M}/7j/Purchase 2/UPDATE WK37_07`,
    ],
  }),
  '7k': input(`${M}/7k`, {
    sets: [
      `${M}/7k/BASE 1 WK28_06`,
      `${M}/7k/BASE 2 WK30_06`,
      `${M}/7k/BASE 3 WK24_07`,
      `${M}/7k/UPDATE WK19_07`,
    ],
  }),
  '8a': input(`${X}/8a`, { keys: [`${X}/8a/IHO.CRT`] }),
  '8b': input(`${X}/8b`, { sets: [`${X}/8b/M01X01`] }),
  '8c, update only': input(`${X}/8c`, { sets: [`${X}/8c/UPDATE MEDIA/M01X01`] }),
  '8c': input(`${X}/8c`, {
    sets: [`${X}/8c/BASE MEDIA/M01X02`, `${X}/8c/BASE MEDIA/M02X02`, `${X}/8c/UPDATE MEDIA/M01X01`],
  }),
  '8d, old base': input(`${X}/8c`, {
    sets: [
      `${X}/8c/BASE MEDIA/M01X02`,
      `${X}/8c/BASE MEDIA/M02X02`,
      `${X}/8c/UPDATE MEDIA/M01X01`,
      `${X}/8d/UPDATE MEDIA/M01X01`,
    ],
  }),
  '8d, new base': input(`${X}/8c`, {
    sets: [
      `${X}/8c/BASE MEDIA/M01X02`,
      `${X}/8c/BASE MEDIA/M02X02`,
      `${X}/8c/UPDATE MEDIA/M01X01`,
      `${X}/8d/BASE MEDIA/M01X02`,
      `${X}/8d/UPDATE MEDIA/M01X01`,
    ],
  }),
};

export interface S64Result {
  readonly test: string;
  /** Result that the standard expects. */
  readonly standard: string;
  /** Codes of problems that belong to no cell, then each cell: edition and update, or `refused`, and codes. */
  readonly ours: string;
}

/** The rows of the table in the README. */
export function s64Results(): readonly S64Result[] {
  const readme = readFileSync('tiles-build/s63/README.md', 'utf8');
  return [...readme.matchAll(/^\| (\d[a-z][^|]*) \| ([^|]+) \| ([^|]*) \|$/gm)].map(
    ([, test, standard, ours]) => ({ test: test!, standard: standard!, ours: ours! }),
  );
}
