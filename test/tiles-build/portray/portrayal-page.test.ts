// The page with the portrayal of every class, and the symbols of new objects.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { symbolInstructions } from '../../../tiles-build/portray/features/symbol-instructions.ts';
import { ChartBuilder } from './chart-builder.ts';
import { CATALOGUE, portrayalPage } from './portrayal-page.ts';
import { symbolInstructionsOf, unstatedInstructions } from './stated-instructions.ts';

const PAGE = join(import.meta.dirname, '../../../tiles-build/portray/rules/PORTRAYAL.md');

test('the portrayal page lists every class of the catalogue', async () => {
  const page = portrayalPage();
  for (const { acronym } of CATALOGUE) expect(page).toContain(`\n| ${acronym} |`);
  await expect(page).toMatchFileSnapshot(PAGE);
});

test('no class of the catalogue is drawn as unknown or silently omitted', () => {
  const rows = portrayalPage()
    .split('\n')
    .filter((row) => CATALOGUE.some(({ acronym }) => row.startsWith(`| ${acronym} |`)));
  expect(rows.length).toBe(CATALOGUE.length);
  // Only topmarks without a shape, streams without a direction and cartographic objects are question marks.
  const unknown = rows.filter(
    (row) => row.includes('QUESMRK1') && !/^\| (topmar|curent|ts_feb|\$[A-Z]+) /i.test(row),
  );
  expect(unknown).toEqual([]);
  expect(rows.filter((row) => row.includes('nothing'))).toEqual([]);
});

function newObject(attributes: Attributes) {
  const chart = new ChartBuilder();
  chart.point('NEWOBJ', [10, 54], attributes);
  const [drawn] = chart.drawn();
  return [drawn?.layer, drawn?.properties['sy'], drawn?.properties['tx']];
}

describe('new objects', () => {
  const V_AIS = "TX('V-AIS',3,2,2,'15110',2,0,CHMGD,11)";

  test.each([
    ['Virtual AtoN, North Cardinal', `SY(BOYCAR01);${V_AIS}`, 'VAIS-north'],
    ['Virtual AtoN', `SY(BOYCAR03);${V_AIS}`, 'VAIS-south'],
    ['Virtual AIS aid to navigation: East cardinal mark', '', 'VAIS-east'],
    ['Virtual AtoN, West Cardinal', V_AIS, 'VAIS-west'],
    ['Virtual AtoN, Port Lateral', V_AIS, 'VAIS-port'],
    ['Virtual AtoN, Starboard Lateral', V_AIS, 'VAIS-starboard'],
    ['Virtual AtoN, Isolated Danger', V_AIS, 'VAIS-isolated'],
    ['Virtual AtoN, Safe Water', V_AIS, 'VAIS-safe'],
    ['Virtual AtoN, Special Purpose', V_AIS, 'VAIS-special'],
    ['Virtual AtoN, Preferred Channel to Starboard', V_AIS, 'VAIS-port'],
    ['Virtual AtoN, Preferred Channel to Port', V_AIS, 'VAIS-starboard'],
    ['Virtual AtoN, Wreck Marking', V_AIS, 'VAIS-wreck'],
    ['Virtual AtoN, New Danger Marking', V_AIS, 'VAIS-wreck'],
    ['', V_AIS, 'VAIS-other'],
    ['Virtual AtoN of North Reach', V_AIS, 'VAIS-other'],
  ])('%j with %j is the virtual aid %s', (CLSNAM, SYMINS, symbol) => {
    expect(newObject({ CLSNAM, SYMINS })).toEqual(['OTHER', symbol, 'V-AIS']);
  });

  test('other new objects have the requested symbol if the sprites contain it, otherwise their default', () => {
    expect(newObject({ CLSNAM: 'Thing', SYMINS: 'SY(CHINFO07);LS(DASH,2,CHMGD)' })).toEqual([
      'OTHER',
      'CHINFO07',
      undefined,
    ]);
    expect(newObject({ SYMINS: "SY(NOSUCH99);TX('Farm',1,1,1,'15110',0,0,CHBLK,11)" })).toEqual([
      'OTHER',
      'NEWOBJ01',
      'Farm',
    ]);
    expect(newObject({})).toEqual(['OTHER', 'NEWOBJ01', undefined]);
  });

  test('have no symbol if SYMINS requests only a text (S-64 3.2)', () => {
    const text = "TX('Invalid objects',3,2,2,'14108',0,0,CHBLK,11)";
    expect(newObject({ SYMINS: text })).toEqual(['OTHER', undefined, 'Invalid objects']);
    const name = "TE('%s','OBJNAM',2,1,2,'15110',4,-1,CHMGD,29)";
    expect(newObject({ SYMINS: name, OBJNAM: 'WP1' })).toEqual(['OTHER', undefined, undefined]);
    expect(newObject({ SYMINS: name })).toEqual(['OTHER', 'NEWOBJ01', undefined]);
  });

  test.each(["SY(;TX('x", ')))(((', "TX('a;b (c)',1)", 'SY(A,OR);SY(B)', ';;', 'sy(x)'])(
    'malformed instructions are read as far as possible: %s',
    (text) => {
      const { symbols, texts } = symbolInstructions(text);
      expect([...symbols, ...texts].every((one) => one !== '')).toBe(true);
      if (text.startsWith('TX')) expect(texts).toEqual(['a;b (c)']);
      if (text.startsWith('SY(A')) expect(symbols).toEqual(['A', 'B']);
    },
  );

  test('the check reports a SYMINS that the page does not cover, and accepts the covered ones', () => {
    const instructions = [
      `SY(BOYCAR01);${V_AIS}`,
      "SY(CHINFO07);LS(DASH,2,CHMGD);TX('Farm',1,1,1,'15110',0,0,CHBLK,11)",
      "SY(NOSUCH99);TE('%s','OBJNAM',1,1,1,'15110',0,0,CHBLK,11)",
      'LC(NAVARE51);AC(CHMGD,3);AP(FOULAR01);CS(RESARE04)',
      'ZZ(CHINFO07)',
      'see note 4',
    ];
    const chart = new ChartBuilder();
    for (const [i, SYMINS] of instructions.entries()) {
      chart.point('NEWOBJ', [10, 54 + i / 100], { SYMINS });
    }
    chart.point('BCNLAT', [11, 54], { SYMINS: 'ZZ(BCNLAT15)' });
    const cell = chart.cell();
    expect(symbolInstructionsOf(cell)).toHaveLength(instructions.length + 1);
    const named = unstatedInstructions(cell).map((fault) => fault.replace(/^\S+ \S+ /, ''));
    expect(named).toEqual(['ZZ(CHINFO07): ZZ: no such row', 'see note 4: not read: see note 4']);
  });
});
