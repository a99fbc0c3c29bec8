import { describe, expect, test } from 'vitest';
import { channelQuarter, markNumber } from '../../../tiles-build/portray/marks/mark-number.ts';
import { ChartBuilder } from './chart-builder.ts';

test('channelQuarter is the quarter at the end of a name, and on the text of a dredged area', () => {
  expect(channelQuarter('35-Foot Hull Gut Reach LIQ')).toBe('LIQ');
  expect(['LIQ', 'Turning Basin', 'Reach ROQ 2', undefined].map(channelQuarter)).toEqual(
    Array(4).fill(undefined),
  );
  const chart = new ChartBuilder();
  chart.box('DRGARE', [0, 50], [1, 51], { DRVAL1: 8, OBJNAM: 'Hull Gut Reach LIQ' });
  const numbers = chart.drawn().map(({ layer, properties }) => [layer, properties['no']]);
  expect(numbers).toEqual([
    ['DRGARE', undefined],
    ['DRGARE', undefined],
    ['AREASYM', 'LIQ'],
  ]);
});

describe('markNumber', () => {
  test.each([
    ['Chesapeake Channel Lighted Bell Buoy 92', '92'],
    ['Annapolis Harbor Channel Light 1AH', '1AH'],
    ['Wye River Warning Daybeacon A', 'A'],
    ['North Channel "NC"', 'NC'],
    ['Bouée n° 5', '5'],
    ['Tonne No.12a', '12a'],
    ['Wick 5/3', '5/3'],
    ['Faarvandet Bøje ÅR7', 'ÅR7'],
  ])('%s is %s', (name, number) => {
    expect(markNumber(name)).toBe(number);
  });

  test.each([['92'], ['Bodega Head Light'], ['Balls Creek Junction Daybeacon'], [''], [undefined]])(
    'returns undefined for %s',
    (name) => {
      expect(markNumber(name)).toBeUndefined();
    },
  );

  test('is a property of buoys, beacons and light vessels in tiles', () => {
    for (const acronym of ['BOYLAT', 'BCNSPP', 'LITFLT', 'LITVES']) {
      const chart = new ChartBuilder();
      chart.point(acronym, [10, 54], { OBJNAM: 'Long Reach 7' });
      expect(chart.drawn()[0]?.properties['no'], acronym).toBe('7');
    }
  });
});
