// The page of the symbol families of ECDIS Chart 1 is current, and no family is drawn as nothing.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chart1Page, EXAMPLES, type Example, lookOf } from './chart1-page.ts';

const PAGE = join(import.meta.dirname, '../../../tiles-build/portray/rules/CHART1.md');

test('the page of Chart 1 is current', async () => {
  await expect(chart1Page()).toMatchFileSnapshot(PAGE);
});

test('every example of Chart 1 is drawn with simplified and with paper symbols', () => {
  const isBlank = (example: Example, symbols: 'simplified' | 'paper') =>
    lookOf(example, symbols) === '' &&
    // Simplified symbols include the meaning of topmarks.
    !(example.acronym === 'TOPMAR' && symbols === 'simplified');
  const blank = EXAMPLES.flatMap(([, examples]) =>
    examples.filter((example) => isBlank(example, 'simplified') || isBlank(example, 'paper')),
  );
  expect(blank).toEqual([]);
});

const TRACKS: readonly (readonly [string, Record<string, number>, string])[] = [
  ['RECTRC', { TRAFIC: 1, ORIENT: 63 }, '`RECTRC-one-way`'],
  ['RECTRC', { TRAFIC: 3, ORIENT: 243 }, '`RECTRC-reverse`'],
  ['RECTRC', { TRAFIC: 4 }, '`RECTRC-two-way`'],
  ['RCRTCL', { TRAFIC: 2 }, '`RCRTCL-one-way`'],
  ['DWRTCL', { TRAFIC: 1, ORIENT: 250 }, '`DWRTCL-reverse`'],
  ['DWRTCL', {}, '`DWRTCL-none`'],
  ['FERYRT', { CATFRY: 2 }, '`FERYRT02`'],
  ['OBSTRN', { WATLEV: 3, VALSOU: 2 }, 'dotted line'],
  ['OBSTRN', { WATLEV: 3, VALSOU: 25 }, 'dashed line'],
  ['OBSTRN', { WATLEV: 3, QUAPOS: 4 }, '`LOWACC41`'],
];

test.each(TRACKS)('a line of %s with %j is drawn with %s', (acronym, attributes, look) => {
  const found = lookOf({ acronym, primitive: 'L', attributes }, 'simplified');
  expect(found.split(', ')).toContain(look);
});

test('a recommended track without a direction has no arrows', () => {
  const track = { acronym: 'RECTRC', primitive: 'L', attributes: { ORIENT: 63 } } as const;
  expect(lookOf(track, 'simplified')).not.toContain('RECTRC');
});
