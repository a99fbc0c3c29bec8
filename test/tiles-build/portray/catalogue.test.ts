// Portrayal of the whole object catalogue: each class is drawn or queried, and the result conforms to the
// tile schema for any attributes.

import { expect, it } from 'vitest';
import { QUERY_ONLY_CLASSES, SOURCE_LAYERS } from '../../../shared/chart/tile-schema.ts';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { objectClassByCode } from '../../../shared/s57/vocabulary/object-classes.ts';
import { isMaritime } from '../../../tiles-build/portray/maritime.ts';
import { CLASS_RULES } from '../../../tiles-build/portray/portray-cell.ts';
import { ChartBuilder } from './chart-builder.ts';
import { schemaFaults } from './schema-conformance.ts';

/** Sea classes of the catalogue (S-57 Appendix A), by acronym and primitives. */
const CLASSES = Array.from({ length: 600 }, (_, code) => objectClassByCode(code)).filter(
  (found) => found !== undefined,
);

/** Attributes that portrayal uses, with the highest code to try. */
const CODES: readonly (readonly [string, number])[] = [
  ...'CATLAM CATCAM BCNSHP BOYSHP TOPSHP CATOBS CATWRK WATLEV CATMOR CATGAT CATSIL CATZOC'.split(
    ' ',
  ),
  ...'CATLMK FUNCTN CATSPM CATHAF CATPRA CATVEG CATREA RESTRN LITCHR CATLIT CATFOG CATRTB'.split(
    ' ',
  ),
  ...'COLOUR COLPAT NATSUR NATQUA QUASOU TECSOU STATUS LITVIS TRAFIC CATBRG CONDTN CATSLC'.split(
    ' ',
  ),
  ...'CONVIS EXPSOU CATLND CATSLO CAT_TS CATFIF CATTRK MARSYS'.split(' '),
].map((acronym) => [acronym, acronym === 'FUNCTN' ? 42 : 34] as const);

const MEASURES: readonly (readonly [string, number, number])[] = [
  ['VALSOU', -5, 40],
  ['DRVAL1', -5, 40],
  ['DRVAL2', 0, 100],
  ['VALDCO', -2, 100],
  ['SECTR1', 0, 360],
  ['SECTR2', 0, 360],
  ['VALNMR', 0, 30],
  ['HEIGHT', 0, 200],
  ['ELEVAT', -3, 4000],
  ['ORIENT', 0, 360],
  ['VERCLR', 1, 60],
  ['VERCOP', 1, 60],
  ['CURVEL', 0, 8],
  ['SIGPER', 0, 30],
  ['SCAMIN', 1, 500_000],
  ['QUAPOS', 1, 11],
];

const TEXTS: readonly (readonly [string, readonly string[]])[] = [
  ['OBJNAM', ['', 'Grey Point', ' ']],
  ['NOBJNM', ['', 'Graue Spitze']],
  ['SIGGRP', ['', '(2)', '(2)(1)', '()(1)', '(A)', ')(']],
  ['COMCHA', ['[VHF0016]', '16']],
  ['INFORM', ['See note A', '']],
  ['DATSTA', ['2024', '20240101', '--', 'x']],
  ['PEREND', ['--0930', '9']],
];

function seededRandom(start: number): () => number {
  let seed = start;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
}

it('the object catalogue has more than 170 classes', () => {
  expect(CLASSES.length).toBeGreaterThan(170);
});

it('the object catalogue is covered: each class has a rule, is drawn by another rule, or is only queried', () => {
  const open = CLASSES.map(({ acronym }) => acronym).filter(
    (acronym) =>
      CLASS_RULES[acronym] === undefined &&
      !QUERY_ONLY_CLASSES.has(acronym) &&
      !isMaritime(acronym) &&
      // Cartographic objects are question marks like unknown classes.
      !acronym.startsWith('$') &&
      acronym !== 'SOUNDG' &&
      // NEWOBJ has a rule, in the layer OTHER.
      acronym !== 'NEWOBJ',
  );
  expect(open).toEqual([]);
});

it('the object catalogue has a source layer for each rule, and no layer of a class without one', () => {
  const layers = new Set(SOURCE_LAYERS.map(({ id }) => id));
  expect(Object.keys(CLASS_RULES).filter((acronym) => !layers.has(acronym))).toEqual([]);
  const derived = 'DEPEDGE SOUNDG LIGHTS_SECTOR AREASYM LOWACC OTHER'.split(' ');
  const made = SOURCE_LAYERS.filter(
    ({ id, group }) =>
      !['background', 'coverage', 'maritime'].includes(group) && !derived.includes(id),
  );
  expect(made.map(({ id }) => id).filter((id) => CLASS_RULES[id] === undefined)).toEqual([]);
});

it('the object catalogue is drawn in conformance with the schema for any attributes (seed 4711)', () => {
  const random = seededRandom(4711);
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!;
  const someAttributes = (): Attributes => {
    const attributes: Record<string, Attributes[string]> = {};
    for (const [acronym, last] of CODES) {
      if (random() < 0.5) continue;
      const codes = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        Math.floor(random() * last),
      );
      attributes[acronym] = random() < 0.5 ? codes[0]! : codes;
    }
    for (const [acronym, least, most] of MEASURES) {
      if (random() < 0.6) attributes[acronym] = least + random() * (most - least);
    }
    for (const [acronym, texts] of TEXTS) if (random() < 0.4) attributes[acronym] = pick(texts);
    return attributes;
  };

  const faults = new Set<string>();
  const layers = new Set<string>();
  for (let round = 0; round < 12; round += 1) {
    const chart = new ChartBuilder();
    chart.box('DEPARE', [0, 50], [9, 59], { DRVAL1: random() * 20 });
    for (const { acronym, primitives } of CLASSES) {
      const [x, y] = [1 + random() * 6, 51 + random() * 6];
      const spatial = random() < 0.3 ? { QUAPOS: 1 + Math.floor(random() * 11) } : {};
      if (acronym === 'SOUNDG') chart.soundings([[x, y, random() * 30]], someAttributes());
      else if (primitives.includes('P')) chart.point(acronym, [x, y], someAttributes(), spatial);
      if (primitives.includes('L')) {
        const ends = [chart.node([x, y]), chart.node([x + 1, y + 0.5])] as const;
        const edge = chart.edge(...ends, { attributes: spatial });
        chart.along(acronym, 'line', [edge], someAttributes());
      }
      if (primitives.includes('A')) chart.box(acronym, [x, y], [x + 1, y + 1], someAttributes());
    }
    for (const drawable of chart.drawn()) {
      layers.add(drawable.layer);
      for (const fault of schemaFaults(drawable)) faults.add(fault);
    }
  }
  expect([...faults]).toEqual([]);
  // Made by the tiler, on inland charts only, or between two areas that share an edge.
  const elsewhere = new Set(['coverage', 'coverage_line', 'NOTMRK', 'DEPEDGE']);
  const silent = SOURCE_LAYERS.filter(
    ({ id, group }) => group !== 'background' && !elsewhere.has(id) && !layers.has(id),
  );
  expect(silent.map(({ id }) => id)).toEqual([]);
});
