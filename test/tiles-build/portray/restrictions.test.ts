// Signs of restrictions (RESTRN) of areas other than restricted areas.

import { expect, it } from 'vitest';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { ChartBuilder } from './chart-builder.ts';

it.each<[string, Attributes, string | undefined, string | undefined]>([
  ['CBLARE', { RESTRN: [1] }, 'ACHRES51', 'anchor'],
  ['CBLARE', { RESTRN: [13] }, 'INFARE51', 'caution'],
  ['CTNARE', { RESTRN: [7] }, 'ENTRES51', 'entry'],
  ['CTNARE', {}, 'CTNARE51', undefined],
  ['ACHARE', { RESTRN: [7] }, 'ENTRES51', 'entry'],
  ['ACHARE', { RESTRN: [3] }, 'ACHARE51', 'fishing'],
  ['ACHARE', { RESTRN: [8] }, 'ACHARE51', 'entry'],
  ['MARCUL', { RESTRN: [7] }, 'ENTRES51', 'entry'],
  ['HRBARE', { RESTRN: [3] }, 'FSHRES51', 'fishing'],
  ['HRBARE', { RESTRN: [27] }, 'CTYARE51', 'caution'],
  ['DRGARE', { DRVAL1: 8, RESTRN: [1] }, 'ACHRES51', 'anchor'],
  ['TSSCRS', { RESTRN: [1] }, 'ACHRES51', 'anchor'],
  ['TSSCRS', {}, 'TSSCRS51', undefined],
  ['TSSRON', {}, 'TSSRON51', undefined],
  ['TSSLPT', {}, 'CTNARE51', undefined],
  ['TSSLPT', { ORIENT: 45 }, 'TSSLPT51', undefined],
  ['RECTRC', { ORIENT: 45, TRAFIC: 1 }, 'FAIRWY51', undefined],
  ['RECTRC', { ORIENT: 45, TRAFIC: 4 }, 'FAIRWY52', undefined],
  ['RECTRC', { ORIENT: 45 }, undefined, undefined],
  ['RECTRC', { TRAFIC: 4 }, undefined, undefined],
  ['RESARE', { CATREA: [27] }, 'INFARE51', undefined],
  ['RESARE', { CATREA: [28] }, 'INFARE51', undefined],
  ['ISTZNE', { RESTRN: [3] }, 'FSHRES51', 'fishing'],
  ['FAIRWY', { RESTRN: [1] }, 'ACHRES51', 'anchor'],
  ['FAIRWY', { RESTRN: [1], ORIENT: 45, TRAFIC: 1 }, 'FAIRWY51', 'anchor'],
  ['DWRTPT', { RESTRN: [1] }, 'ACHRES51', 'anchor'],
])('the restriction of an area, %s %j, has the symbol %s', (acronym, attributes, sy, rs) => {
  const chart = new ChartBuilder();
  chart.box(acronym, [0, 50], [1, 51], attributes);
  const found = chart.drawn('AREASYM')[0]?.properties;
  expect([found?.['sy'], found?.['rs']]).toEqual([sy, rs]);
});
