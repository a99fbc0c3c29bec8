// Symbols of buoys, beacons, topmarks, landmarks and restricted areas, by their attributes.

import { describe, expect, it } from 'vitest';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { restrictedArea } from '../../../tiles-build/portray/features/restrictions.ts';
import { seabedText } from '../../../tiles-build/portray/features/seabed.ts';
import { shoreLine } from '../../../tiles-build/portray/features/shore-line.ts';
import { landmarkSymbol } from '../../../tiles-build/portray/marks/landmarks.ts';
import { ChartBuilder } from './chart-builder.ts';

function mark(acronym: string, attributes: Attributes) {
  const chart = new ChartBuilder();
  chart.point(acronym, [10, 54], attributes);
  const [drawn] = chart.drawn();
  return [drawn?.properties['sy'], drawn?.properties['sp'], drawn?.properties['co']];
}

describe('buoys and beacons', () => {
  const rows: [string, Attributes, string, string, string | undefined][] = [
    // Lateral, regions A and B, by shape or otherwise by hand.
    ['BOYLAT', { CATLAM: 1, COLOUR: [3], BOYSHP: 2 }, 'BOYLAT24', 'BOYCAN01-R', 'R'],
    ['BOYLAT', { CATLAM: 2, COLOUR: [4], BOYSHP: 1 }, 'BOYLAT13', 'BOYCON01-G', 'G'],
    ['BOYLAT', { CATLAM: 2, COLOUR: [3], BOYSHP: 4 }, 'BOYLAT14', 'BOYPIL01-R', 'R'],
    ['BOYLAT', { CATLAM: 1, COLOUR: [4], BOYSHP: 5 }, 'BOYLAT23', 'BOYSPR01-G', 'G'],
    ['BOYLAT', { CATLAM: 3, COLOUR: [3, 4, 3], BOYSHP: 4 }, 'BOYLAT24', 'BOYPIL01-RGR', 'RGR'],
    ['BOYLAT', { BOYSHP: 4 }, 'BOYDEF03', 'BOYPIL01', undefined],
    // Without a hand and a shape, only the region decides.
    ['BOYLAT', { COLOUR: [3], BOYSHP: 4 }, 'BOYDEF03', 'BOYPIL01-R', 'R'],
    ['BOYLAT', { COLOUR: [3], MARSYS: 1 }, 'BOYLAT24', 'BOYGEN03-R', 'R'],
    ['BOYLAT', { COLOUR: [3], MARSYS: 2 }, 'BOYLAT14', 'BOYGEN03-R', 'R'],
    ['BOYLAT', { COLOUR: [4], MARSYS: 1 }, 'BOYLAT13', 'BOYGEN03-G', 'G'],
    ['BOYLAT', { COLOUR: [4], MARSYS: 2 }, 'BOYLAT23', 'BOYGEN03-G', 'G'],
    ['BOYLAT', { COLOUR: [4], MARSYS: 10 }, 'BOYDEF03', 'BOYGEN03-G', 'G'],
    // Inland: right-hand and left-hand side of the waterway; bridge pier.
    ['boylat', { COLOUR: [3], BOYSHP: 5, catlam: 5 }, 'BOYLAT24', 'BOYSPR01-R', 'R'],
    ['boylat', { COLOUR: [4], BOYSHP: 5, catlam: 6 }, 'BOYLAT13', 'BOYSPR01-G', 'G'],
    ['boylat', { COLOUR: [4], catlam: 23, MARSYS: 1 }, 'BOYDEF03', 'BOYGEN03-G', 'G'],
    ['BOYCAR', { CATCAM: 1, COLOUR: [2, 6], BOYSHP: 4 }, 'BOYCAR01', 'BOYPIL01-BY', 'BY'],
    ['BOYCAR', { CATCAM: 2, COLOUR: [2, 6, 2], BOYSHP: 5 }, 'BOYCAR02', 'BOYSPR01-BYB', 'BYB'],
    ['BOYCAR', { COLOUR: [6, 2] }, 'BOYDEF03', 'BOYGEN03-YB', 'YB'],
    ['BOYISD', { COLOUR: [2, 3, 2], BOYSHP: 3 }, 'BOYISD12', 'BOYSPH01-BRB', 'BRB'],
    ['BOYSAW', { COLOUR: [3, 1], COLPAT: [2], BOYSHP: 3 }, 'BOYSAW12', 'BOYSPH01-RW', 'RW'],
    ['BOYSAW', { COLOUR: [3, 1], BOYSHP: 3 }, 'BOYSAW12', 'BOYSPH01-RW', 'RW'],
    // Bands are not drawn as stripes, nor stripes as bands.
    ['BOYSPP', { COLOUR: [3, 1], COLPAT: [1], BOYSHP: 2 }, 'BOYSPP25', 'BOYCAN01', 'RW'],
    ['BOYSPP', { COLOUR: [3, 1], BOYSHP: 2 }, 'BOYSPP25', 'BOYCAN01', 'RW'],
    ['BCNSPP', { COLOUR: [1, 3], BCNSHP: 3 }, 'BCNSPP13', 'BCNTOW01', 'WR'],
    ['BOYSPP', { COLOUR: [5, 6], BOYSHP: 4 }, 'BOYSPP35', 'BOYPIL01-UY', 'UY'],
    ['BOYSPP', { COLOUR: [2, 6], COLPAT: [2], BOYSHP: 5 }, 'BOYSPP35', 'BOYSPR01', 'BY'],
    ['BOYSPP', { COLOUR: [2, 6], COLPAT: [1], BOYSHP: 5 }, 'BOYSPP35', 'BOYSPR01-BY', 'BY'],
    // Bands that are not drawn have no colour, because a part of them would be another mark.
    ['BOYISD', { COLOUR: [2, 3, 2, 3, 2] }, 'BOYISD12', 'BOYGEN03-BRB', 'BRBRB'],
    ['BOYSPP', { COLOUR: [2, 6, 2, 6, 2] }, 'BOYSPP11', 'BOYGEN03', 'BYBYB'],
    ['BOYSPP', { COLOUR: [3, 4, 1] }, 'BOYSPP11', 'BOYGEN03', 'RGW'],
    ['BOYSPP', { COLOUR: [6, 6] }, 'BOYSPP11', 'BOYGEN03-Y', 'YY'],
    ['BOYSAW', { COLOUR: [3, 1], COLPAT: [1] }, 'BOYSAW12', 'BOYGEN03-RW', 'RW'],
    ['BOYSPP', { COLOUR: [5, 6], COLPAT: [2], CATSPM: [27] }, 'BOYSPP11', 'BOYGEN03-UY', 'UY'],
    ['BOYSPP', { COLOUR: [6], BOYSHP: 2 }, 'BOYSPP25', 'BOYCAN01-Y', 'Y'],
    ['BOYSPP', { COLOUR: [1, 5], CATSPM: [14] }, 'BOYMOR11', 'BOYMOR01', 'WU'],
    ['BOYSPP', { COLOUR: [6], BOYSHP: 7 }, 'BOYSUP02', 'BOYSUP01-Y', 'Y'],
    ['BOYINB', { COLOUR: [6], BOYSHP: 7 }, 'BOYSUP02', 'BOYINB01-Y', 'Y'],
    ['BCNLAT', { COLOUR: [3], BCNSHP: 1 }, 'BCNLAT21', 'BCNSTK02-R', 'R'],
    ['BCNLAT', { COLOUR: [4], BCNSHP: 3 }, 'BCNLAT16', 'BCNTOW01-G', 'G'],
    ['BCNLAT', { COLOUR: [1] }, 'BCNDEF13', 'BCNGEN01-W', 'W'],
    ['BCNCAR', { CATCAM: 4, COLOUR: [6, 2, 6] }, 'BCNCAR04', 'BCNGEN01-YBY', 'YBY'],
    ['BCNLAT', { CATLAM: 1, BCNSHP: 2, COLOUR: [3] }, 'BCNLAT21', 'PRICKE03', 'R'],
    ['BCNLAT', { CATLAM: 2, BCNSHP: 2, COLOUR: [4] }, 'BCNLAT22', 'PRICKE04', 'G'],
    ['BCNSPP', { BCNSHP: 6, COLOUR: [1] }, 'BCNSPP13', 'CAIRNS01', 'W'],
    ['BCNSPP', { BCNSHP: 3, COLOUR: [11] }, 'BCNSPP13', 'BCNTOW01', 'O'],
    ['BCNSPP', { BCNSHP: 4 }, 'BCNSPP13', 'BCNLTC01', undefined],
    ['MORFAC', { CATMOR: 7, BOYSHP: 2, COLOUR: [1] }, 'BOYMOR11', 'BOYMOR03-W', 'W'],
  ];
  it.each(rows)('%s %j is %s, on paper %s', (acronym, attributes, sy, sp, co) => {
    expect(mark(acronym, attributes)).toEqual([sy, sp, co]);
  });

  // The colour that their purpose implies, without COLOUR.
  const implied: [string, Attributes, number | undefined, string, string][] = [
    ['BOYLAT', { CATLAM: 1, BOYSHP: 2 }, 1, 'BOYLAT24', 'BOYCAN01-R'],
    ['BOYLAT', { CATLAM: 1, BOYSHP: 2 }, 2, 'BOYLAT23', 'BOYCAN01-G'],
    ['BOYLAT', { CATLAM: 2, BOYSHP: 1, COLOUR: '' }, 2, 'BOYLAT14', 'BOYCON01-R'],
    ['BOYLAT', { CATLAM: 3, BOYSHP: 4 }, 1, 'BOYLAT24', 'BOYPIL01-RGR'],
    ['BOYLAT', { CATLAM: 3, BOYSHP: 4 }, 2, 'BOYLAT23', 'BOYPIL01-GRG'],
    ['BOYLAT', { CATLAM: 1, MARSYS: 2 }, 1, 'BOYLAT23', 'BOYGEN03-G'],
    ['BOYLAT', { CATLAM: 1 }, 10, 'BOYDEF03', 'BOYGEN03'],
    ['BOYLAT', { CATLAM: 1 }, undefined, 'BOYDEF03', 'BOYGEN03'],
    ['BCNLAT', { CATLAM: 2, BCNSHP: 1 }, 1, 'BCNLAT22', 'BCNSTK02-G'],
    ['BOYCAR', { CATCAM: 3, BOYSHP: 5 }, undefined, 'BOYCAR03', 'BOYSPR01-YB'],
    ['BOYISD', { BOYSHP: 3 }, undefined, 'BOYISD12', 'BOYSPH01-BRB'],
    ['BOYSAW', { BOYSHP: 3 }, undefined, 'BOYSAW12', 'BOYSPH01-RW'],
  ];
  it.each(implied)(
    '%s %j in the system %s is %s, on paper %s',
    (acronym, attributes, system, sy, sp) => {
      const chart = new ChartBuilder();
      // The other system is next to it.
      chart.box('M_NSYS', [8, 53], [9, 55], { MARSYS: 3 - (system ?? 1) });
      if (system !== undefined) chart.box('M_NSYS', [9, 53], [11, 55], { MARSYS: system });
      chart.point(acronym, [10, 54], attributes);
      expect(chart.drawn(acronym)[0]?.properties).toMatchObject({ sy, sp });
    },
  );
});

describe('topmarks', () => {
  function topmark(platform: string | undefined, attributes: Attributes) {
    const chart = new ChartBuilder();
    if (platform !== undefined) {
      chart.point(platform, [10, 54], platform === 'MORFAC' ? { CATMOR: 7 } : {});
    }
    chart.point('TOPMAR', [10, 54], attributes);
    const drawn = chart.drawn('TOPMAR')[0];
    return [drawn?.properties['sy'], drawn?.properties['fl']];
  }

  it('are slanted on floating platforms, and upright on fixed ones or alone', () => {
    expect(topmark('BOYLAT', { TOPSHP: 1 })).toEqual(['TOPMAR02', 1]);
    expect(topmark('LITFLT', { TOPSHP: 3 })).toEqual(['TOPMAR10', 1]);
    expect(topmark('MORFAC', { TOPSHP: 7 })).toEqual(['TOPMAR65', 1]);
    expect(topmark('BCNLAT', { TOPSHP: 1 })).toEqual(['TOPMAR22', undefined]);
    expect(topmark(undefined, { TOPSHP: 13 })).toEqual(['TOPMAR25', undefined]);
  });

  it('are a question mark if the shape is unknown', () => {
    expect(topmark('BOYLAT', {})[0]).toBe('QUESMRK1');
    expect(topmark('BOYLAT', { TOPSHP: 99 })[0]).toBe('QUESMRK1');
  });
});

describe('landmarks', () => {
  const rows: [Attributes, string][] = [
    [{ CATLMK: [3] }, 'CHIMNY01'],
    [{ CATLMK: [3], CONVIS: 1 }, 'CHIMNY11'],
    [{ CATLMK: [17], FUNCTN: [31], CONVIS: 1 }, 'TOWERS15'],
    [{ CATLMK: [17], FUNCTN: [33] }, 'TOWERS01'],
    [{ CATLMK: [17], FUNCTN: [20] }, 'BUIREL01'],
    [{ CATLMK: [20], FUNCTN: [26], CONVIS: 1 }, 'BUIREL15'],
    [{ CATLMK: [9], FUNCTN: [20] }, 'MONUMT02'],
    [{}, 'POSGEN01'],
  ];
  it.each(rows)('%j is %s', (attributes, symbol) => {
    expect(landmarkSymbol(attributes)).toBe(symbol);
  });
});

describe('restricted areas', () => {
  const rows: [Attributes, string, string][] = [
    [{ RESTRN: [7] }, 'ENTRES51', 'entry'],
    [{ RESTRN: [3, 14] }, 'ENTRES61', 'entry'],
    [{ RESTRN: [8, 9] }, 'ENTRES71', 'entry'],
    [{ RESTRN: [8], CATREA: [4] }, 'ENTRES71', 'entry'],
    [{ RESTRN: [1] }, 'ACHRES51', 'anchor'],
    [{ RESTRN: [1, 3] }, 'ACHRES61', 'anchor'],
    [{ RESTRN: [2, 11] }, 'ACHRES71', 'anchor'],
    [{ RESTRN: [5] }, 'FSHRES51', 'fishing'],
    [{ RESTRN: [5, 13] }, 'FSHRES61', 'fishing'],
    [{ RESTRN: [24] }, 'FSHRES51', 'fishing'],
    [{ RESTRN: [24, 13] }, 'FSHRES61', 'fishing'],
    [{ RESTRN: [1, 24] }, 'ACHRES61', 'anchor'],
    [{ RESTRN: [27] }, 'CTYARE51', 'caution'],
    [{ RESTRN: [27, 15] }, 'CTYARE71', 'caution'],
    [{ RESTRN: [22] }, 'INFARE51', 'info'],
    [{ RESTRN: [99] }, 'RSRDEF51', 'default'],
    [{ CATREA: [9] }, 'CTYARE51', 'caution'],
    [{ CATREA: [9, 4] }, 'CTYARE71', 'caution'],
    [{ CATREA: [4] }, 'INFARE51', 'info'],
    [{}, 'RSRDEF51', 'default'],
  ];
  it.each(rows)('%j are %s with a boundary of %s', (attributes, symbol, boundary) => {
    expect(restrictedArea(attributes)).toEqual({ symbol, boundary });
  });
});

describe('other rules', () => {
  it('choose the line of shore works by condition and water level', () => {
    const cases: [Attributes, number][] = [
      [{}, 2],
      [{ WATLEV: 2 }, 2],
      [{ CATSLC: 6, WATLEV: 4 }, 2],
      [{ WATLEV: 4 }, 1],
      [{ CONDTN: 2 }, 1],
      [{ CONDTN: 1, CATSLC: 6 }, 1],
      [{ WATLEV: 3 }, 0],
    ];
    expect(cases.map(([attributes]) => shoreLine(attributes))).toEqual(cases.map(([, ln]) => ln));
  });

  it('describe the sea bed, with qualities matched to surfaces by position', () => {
    expect(seabedText({ NATSUR: [4, 1] })).toBe('S M');
    expect(seabedText({ NATSUR: '4,17', NATQUA: ',4' })).toBe('S bkSh');
    expect(seabedText({ NATSUR: [4, 1], NATQUA: [1] })).toBe('fS M');
    expect(seabedText({ NATSUR: ['4/1'] })).toBe('S/M');
    expect(seabedText({ NATSUR: ['4/1', 17], NATQUA: ['1/6', 4] })).toBe('fS/soM bkSh');
    expect(seabedText({ NATQUA: [10] })).toBe('h');
    expect(seabedText({ NATSUR: [99] })).toBeUndefined();
    expect(seabedText({})).toBeUndefined();
  });
});

it.each([
  ['(2)', 'Horn(2)30s'],
  ['(1)', 'Horn30s'],
  ['(2+1)', 'Horn(2+1)30s'],
  ['(K)', 'Horn Mo(K) 30s'],
  ['()', 'Horn30s'],
])('a fog signal with the group %s has the text %s', (SIGGRP, tx) => {
  const chart = new ChartBuilder();
  chart.point('FOGSIG', [0, 50], { CATFOG: 4, SIGGRP, SIGPER: 30 });
  expect(chart.drawn('FOGSIG')[0]?.properties['tx']).toBe(tx);
});
