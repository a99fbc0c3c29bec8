// Aids to navigation: buoys, beacons, lights, daymarks and topmarks, fog signals, radio and radar,
// and signal, rescue and pilot stations.

import type { Attributes, Feature } from '../../../shared/s57/cell/cell.ts';
import { listOf, numberOf, textOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import type { ChartContext } from '../features/chart-context.ts';
import { type Decision, type RuleTable, rulesFor } from '../features/class-rule.ts';
import { paperBeacon, simplifiedBeacon } from '../marks/beacons.ts';
import { paperBuoy, simplifiedBuoy } from '../marks/buoys.ts';
import { withImpliedColors } from '../marks/implied-colors.ts';
import { lightDecision } from '../marks/lights.ts';
import { colorLetters } from '../marks/mark-colors.ts';
import { markNumber } from '../marks/mark-number.ts';
import { daymarkSymbol, isAfloat, topmarkSymbol } from '../marks/topmarks.ts';

const POINT = ['point'] as const;

export const AID_RULES: RuleTable = {
  ...rulesFor('BOYLAT BOYCAR BOYISD BOYSAW BOYSPP BOYINB', {
    parts: POINT,
    decide: (_given, feature, chart) => {
      const acronym = chart.acronymOf(feature);
      const attributes = coloredMark(feature, chart);
      return {
        sy: simplifiedBuoy(acronym, attributes, () => chart.buoyageSystemOf(feature)),
        ...numbered(attributes),
        ...paperBuoy(acronym, attributes),
      };
    },
  }),
  ...rulesFor('BCNLAT BCNCAR BCNISD BCNSAW BCNSPP', {
    parts: POINT,
    decide: (_given, feature, chart) => {
      const attributes = coloredMark(feature, chart);
      const acronym = chart.acronymOf(feature);
      return {
        sy: simplifiedBeacon(acronym, attributes),
        sp: paperBeacon(acronym, attributes),
        ...numbered(attributes),
        co: colorLetters(attributes),
      };
    },
  }),
  LITFLT: {
    parts: POINT,
    decide: (attributes) => ({
      sy: 'LITFLT02',
      sp: 'LITFLT01',
      ...numbered(attributes),
      co: colorLetters(attributes),
    }),
  },
  LITVES: {
    parts: POINT,
    decide: (attributes) => ({
      sy: 'LITVES02',
      ...numbered(attributes),
      co: colorLetters(attributes),
    }),
  },
  LIGHTS: { parts: POINT, decide: lightDecision },
  DAYMAR: {
    parts: POINT,
    decide: (attributes) => ({ sy: daymarkSymbol(attributes), co: colorLetters(attributes) }),
  },
  TOPMAR: {
    parts: POINT,
    decide: (attributes, feature, chart) => {
      const floats = isAfloat(feature, chart);
      return {
        sy: topmarkSymbol(attributes, floats),
        fl: floats ? 1 : undefined,
        co: colorLetters(attributes),
      };
    },
  },
  FOGSIG: { parts: POINT, decide: fogSignal },
  RTPBCN: { parts: POINT, decide: transponder },
  RADRFL: { parts: POINT, decide: () => ({ sy: 'RADRFL03' }) },
  RDOSTA: {
    parts: POINT,
    decide: (attributes) => ({
      sy: 'RDOSTA02',
      cat: listOf(attributes, 'CATROS')[0],
      or: numberOf(attributes, 'ORIENT'),
      tx: textOf(attributes, 'CALSGN'),
    }),
  },
  RADSTA: {
    parts: POINT,
    decide: (attributes) => ({ sy: 'RDOSTA02', cat: numberOf(attributes, 'CATRAS') }),
  },
  SISTAT: {
    parts: POINT,
    decide: (attributes) => ({ sy: 'SISTAT02', cat: listOf(attributes, 'CATSIT')[0] }),
  },
  SISTAW: {
    parts: POINT,
    decide: (attributes) => ({ sy: 'SISTAW02', cat: listOf(attributes, 'CATSIW')[0] }),
  },
  RSCSTA: { parts: POINT, decide: () => ({ sy: 'RSCSTA02' }) },
  CGUSTA: { parts: POINT, decide: () => ({ sy: 'CGUSTA02' }) },
  DISMAR: { parts: POINT, decide: () => ({ sy: 'DISMAR03' }) },
  NOTMRK: { parts: POINT, decide: () => ({ sy: 'NOTBRD11' }) },
  PILBOP: {
    parts: ['point', 'outline', 'symbol'],
    decide: (attributes) => ({ sy: 'PILBOP02', cat: numberOf(attributes, 'CATPIL') }),
  },
};

const coloredMark = (mark: Feature, chart: ChartContext): Attributes =>
  withImpliedColors(chart.acronymOf(mark), mark.attributes, () => chart.buoyageSystemOf(mark));

const numbered = (attributes: Attributes): Decision => ({
  no: markNumber(textOf(attributes, 'OBJNAM')),
});

/** CATFOG as printed on charts. */
const FOG_SIGNALS: Readonly<Record<number, string>> = {
  1: 'Explos',
  2: 'Dia',
  3: 'Siren',
  4: 'Horn',
  5: 'Horn',
  6: 'Horn',
  7: 'Bell',
  8: 'Whis',
  9: 'Gong',
  10: 'Horn',
};

/** Text such as `Horn(2)30s`, or `Horn Mo(K) 30s` for a Morse letter. */
function fogSignal(attributes: Attributes): Decision {
  const cat = numberOf(attributes, 'CATFOG');
  const name = FOG_SIGNALS[cat ?? 0];
  const [, group, letter] =
    /\((?:(\d+(?:\+\d+)*)|([A-Z]+))\)/.exec(textOf(attributes, 'SIGGRP') ?? '') ?? [];
  const period = numberOf(attributes, 'SIGPER');
  const isGrouped = group !== undefined && group !== '1';
  const morse = letter === undefined ? '' : ` Mo(${letter}) `;
  const rhythm = `${isGrouped ? `(${group})` : morse}${period ? `${period}s` : ''}`;
  return { sy: 'FOGSIG01', cat, tx: name === undefined ? undefined : (name + rhythm).trim() };
}

/** CATRTB 1 is a ramark, which transmits continuously; racons respond with a Morse letter. */
function transponder(attributes: Attributes): Decision {
  const cat = numberOf(attributes, 'CATRTB');
  if (cat === 1) return { sy: 'RTPBCN02', cat, tx: 'Ramark' };
  const letters = /\(?([A-Z]+)\)?/.exec(textOf(attributes, 'SIGGRP') ?? '')?.[1];
  return { sy: 'RTPBCN02', cat, tx: letters === undefined ? 'Racon' : `Racon(${letters})` };
}
