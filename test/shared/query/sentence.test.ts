import { describe, expect, test } from 'vitest';
import { type Described, sentenceOf, sentencesOfAll } from '../../../shared/query/sentence.ts';
import { valueMeaning } from '../../../shared/s57/vocabulary/attribute-values.ts';
import { attributeByCode } from '../../../shared/s57/vocabulary/attributes.ts';
import {
  OBJECT_CLASS_ACRONYMS,
  objectClassByAcronym,
} from '../../../shared/s57/vocabulary/object-classes.ts';

type Raw = Described['raw'];
const codeOf = (acronym: string) => objectClassByAcronym(acronym)!.code;
const said = (acronym: string, raw: Raw, units: 'meters' | 'feet' | 'fathoms' = 'meters') =>
  sentenceOf({ classCode: codeOf(acronym), raw }, units);

const CODES = [
  ...Array.from({ length: 500 }, (_, i) => i),
  ...Array.from({ length: 200 }, (_, i) => 17_000 + i),
  ...Array.from({ length: 100 }, (_, i) => 18_000 + i),
  19_000,
  33_066,
  40_000,
];
const ATTRIBUTES = CODES.flatMap((code) => attributeByCode(code) ?? []);

/** Values of an attribute, as cells contain them. */
function valuesOf({ acronym, type }: (typeof ATTRIBUTES)[number]): Raw[string][] {
  if (type === 'F' || type === 'I') return [0, -1.5, 7.3];
  if (type === 'S') return ['Plain words', ''];
  if (type === 'A') return ['20200501', '--05', '(2)', ''];
  const listed = Array.from({ length: 140 }, (_, i) => i).filter(
    (i) => valueMeaning(acronym, i) !== undefined,
  );
  return [...listed, 999].map((value) => (type === 'L' ? [value] : value));
}

test.each([
  [2, 'WGS 84'],
  [13, 'Astro Beacon "E" 1945'],
  [74, 'North American 1927'],
  [98, 'South American 1969'],
  [102, 'Tokyo'],
  [131, 'Local datum'],
  [132, undefined],
])('horizontal datum %d is %s', (value, name) => {
  expect(valueMeaning('HORDAT', value)).toBe(name);
});

test('every known value has words', () => {
  const acronyms = ATTRIBUTES.map(({ acronym }) => acronym);
  const empty = acronyms.flatMap((acronym) =>
    Array.from({ length: 200 }, (_, value) => value)
      .filter((value) => valueMeaning(acronym, value) === '')
      .map((value) => `${acronym} ${value}`),
  );
  expect(empty).toEqual([]);
});

describe('the sentence of an object', () => {
  test.each([
    [
      'WRECKS',
      { catwrk: 2, valsou: 7.3, quapos: 4 },
      'Dangerous wreck, 7.3 m, position approximate.',
    ],
    [
      'WRECKS',
      { catwrk: 1, quasou: [2], watlev: 3, expsou: 1 },
      'Non-dangerous wreck, depth unknown, under water.',
    ],
    ['UWTROC', { watlev: 4, valsou: -0.8 }, 'Rock that covers and uncovers, dries 0.8 m.'],
    ['UWTROC', { watlev: 4, valsou: -1.25 }, 'Rock that covers and uncovers, dries 1.3 m.'],
    ['OBSTRN', { catobs: 6 }, 'Foul area.'],
    [
      'OBSTRN',
      { catobs: 6, persta: '20200401', perend: '20201031' },
      'Foul area, from 1 April until 31 October of every year.',
    ],
    [
      'OBSTRN',
      { catobs: 6, sursta: '--', surend: '1998' },
      'Foul area, from -- until 1998 (survey).',
    ],
    ['VEGATN', { catveg: [12] }, 'Moss.'],
    ['WEDKLP', { catwed: 4 }, 'Sargasso.'],
    [
      'BOYLAT',
      { objnam: 'Wick 3', catlam: 1, boyshp: 2, colour: [3] },
      'Wick 3: port-hand buoy, can, red.',
    ],
    [
      'BOYCAR',
      { catcam: 1, colour: [2, 6], colpat: [1] },
      'North cardinal buoy, black and yellow, horizontal stripes.',
    ],
    [
      'BOYCAR',
      { catcam: 2, colour: [2, 6, 2], colpat: [1] },
      'East cardinal buoy, black, yellow, black, horizontal stripes.',
    ],
    [
      'BOYSAW',
      { colour: [3, 1, 3], colpat: [2] },
      'Safe water buoy, red and white, vertical stripes.',
    ],
    ['boywtw', {}, 'Waterway buoy.'],
    // Values that inland charts use for something else.
    ['ACHARE', { catach: [10] }, 'Anchorage for a limited period of time.'],
    ['achare', { catach: [10] }, 'Anchorage for pushing-navigation vessels.'],
    ['achare', { catach: [3] }, 'Tanker anchorage.'],
    ['SISTAT', { catsit: [10] }, 'Traffic signal station, traffic control light.'],
    ['sistat', { catsit: [10] }, 'Signal station traffic, oncoming traffic indication.'],
    ['SISTAW', { catsiw: [15] }, 'Warning signal station, water level gauge.'],
    ['sistaw', { catsiw: [15] }, 'Signal station warning, high water mark.'],
    [
      'BRIDGE',
      { verclr: 20, verdat: 30 },
      'Bridge, vertical clearance 20 m, heights above highest astronomical tide.',
    ],
    ['M_VDAT', { verdat: 28 }, 'Heights above higher high water large tide.'],
    ['DEPARE', {}, 'Water, depth unknown.'],
    ['DEPARE', { drval1: 5, drval2: 10 }, 'Water, depths from 5 m to 10 m.'],
    ['DEPARE', { drval1: 2, drval2: -1 }, 'Water, dries up to 1 m, depths to 2 m.'],
    ['DRGARE', { drval1: 9.1, drval2: 9.1 }, 'Dredged area, depth 9.1 m.'],
    [
      'RESARE',
      { catrea: [4], restrn: [1, 7] },
      'Nature reserve, anchoring prohibited, entry prohibited.',
    ],
    [
      'BRIDGE',
      { objnam: 'High Bridge', catbrg: [2], vercop: 20.5 },
      'High Bridge: opening bridge, vertical clearance when open 20.5 m.',
    ],
    ['SBDARE', { natsur: [4, 1], natqua: [1] }, 'Seabed, fine sand and mud.'],
    ['SBDARE', { natsur: ['4/1'] }, 'Seabed, sand over mud.'],
    ['SBDARE', { natsur: [4, 1], natqua: ['', 6] }, 'Seabed, sand and soft mud.'],
    ['RDOCAL', { comcha: '[16];[12]' }, 'Radio calling-in point, channel 16, 12.'],
    ['RDOCAL', { comcha: '[VHF0016];[VHF0012]' }, 'Radio calling-in point, VHF 16, 12.'],
    ['CURENT', { curvel: 1 }, 'Current, rate 1 knot.'],
    [
      'LNDELV',
      { elevat: 5, verdat: 16 },
      'Land elevation, elevation 5 m, heights above mean high water.',
    ],
    ['M_SDAT', { verdat: 8 }, 'Depths below Indian spring low water.'],
    [
      'DRGARE',
      { drval1: 5, verdat: 8 },
      'Dredged area, depth 5 m, depths below Indian spring low water.',
    ],
    ['WRECKS', { catwrk: 2, verdat: 16 }, 'Dangerous wreck, vertical datum mean high water.'],
    ['M_VDAT', { verdat: 16 }, 'Heights above mean high water.'],
    [
      'OBSTRN',
      { valsou: -1, height: 2, verdat: 16 },
      'Obstruction, dries 1 m, height 2 m, heights above mean high water.',
    ],
    ['RDOCAL', { comcha: 'VHF Ch 12' }, 'Radio calling-in point, VHF 12.'],
    ['RDOCAL', { comcha: '[VHFCH12]' }, 'Radio calling-in point, VHF 12.'],
    ['RDOCAL', { comcha: 'ch16' }, 'Radio calling-in point, channel 16.'],
    ['RDOCAL', { comcha: 'Channels 12, 14' }, 'Radio calling-in point, channel 12, 14.'],
    ['RDOCAL', { comcha: '[]' }, 'Radio calling-in point.'],
    ['SEAARE', { nobjnm: 'Wiek', catsea: 5, ninfom: 'Flach' }, 'Wiek: bay. Flach.'],
    ['CTNARE', { txtdsc: 'GB1.TXT' }, 'Caution area. See text GB1.TXT.'],
    ['CBLARE', { restrn: [24], inform: 'Dragging prohibited' }, 'Cable area, dragging prohibited.'],
    ['CTNARE', { inform: 'Strong currents' }, 'Caution area. Strong currents.'],
    ['SEAARE', { objnam: 'Wick Bay', catsea: 5 }, 'Wick Bay: bay.'],
  ] as const)('of %s %o is: %s', (acronym, raw, sentence) => {
    expect(said(acronym, raw)).toBe(sentence);
  });

  test('gives depths, clearances and heights in the unit of the reader, depths rounded down', () => {
    expect(said('WRECKS', { catwrk: 2, valsou: 7.3 }, 'feet')).toBe('Dangerous wreck, 23 ft.');
    expect(said('WRECKS', { catwrk: 2, valsou: 7.3 }, 'fathoms')).toBe(
      'Dangerous wreck, 3 fathoms 5 ft.',
    );
    expect(said('UWTROC', { watlev: 4, valsou: -0.8 }, 'feet')).toMatch(/, dries 3 ft\.$/);
    expect(said('DEPARE', { drval1: -0.8, drval2: 0 }, 'feet')).toMatch(/dries up to 3 ft\.$/);
    expect(said('BRIDGE', { verclr: 20.5 }, 'fathoms')).toBe('Bridge, vertical clearance 67 ft.');
    expect(said('LIGHTS', { litchr: 1, height: 12 }, 'feet')).toBe('Light, fixed, height 39 ft.');
  });

  test('of a sounding has its depth, its quality and its datum', () => {
    const raw = { quasou: [4], verdat: 8 };
    expect(sentenceOf({ classCode: codeOf('SOUNDG'), raw, depth: 5.2 }, 'meters')).toBe(
      'Sounding, 5.2 m, depth unreliable, depths below Indian spring low water.',
    );
  });

  test('is shared by sectors that differ in what charts do not print', () => {
    const sector = (more: Raw) => {
      const raw = { litchr: 7, sigper: 4, ...more };
      return { classCode: codeOf('LIGHTS'), position: 'one', raw };
    };
    const sectors = [
      sector({ colour: [1], sectr1: 10, sectr2: 20, status: [1] }),
      sector({ colour: [3], sectr1: 20, sectr2: 30 }),
    ];
    expect(new Set(sentencesOfAll(sectors, 'meters'))).toEqual(
      new Set([
        'Light, isophase every 4 s; sectors, as bearings from seaward: ' +
          'white from 010° to 020°; red from 020° to 030°.',
      ]),
    );
  });

  test('of a light has its sectors in the order of the compass', () => {
    const base = { objnam: 'Wick', litchr: 2, siggrp: '(2)', sigper: 10, height: 12 };
    const red = { ...base, colour: [3], sectr1: 120, sectr2: 250.5, valnmr: 6 };
    const white = { ...base, colour: [1], sectr1: 30, sectr2: 120, valnmr: 8 };
    const object = { classCode: codeOf('LIGHTS'), raw: red, lights: [red, white] };
    expect(sentenceOf(object, 'meters')).toBe(
      'Wick: light, flashing (2) every 10 s, height 12 m; sectors, as bearings from seaward: ' +
        'white from 030° to 120°, range 8 nautical miles; red from 120° to 250.5°, range 6 nautical miles.',
    );
    expect(said('LIGHTS', { ...base, colour: [3], valnmr: 6 })).toBe(
      'Wick: light, flashing (2) every 10 s, red, range 6 nautical miles, height 12 m.',
    );
  });

  test.each([
    [{ litchr: 13, siggrp: '(2)' }, 'fixed and flashing (2)'],
    [{ litchr: 14, siggrp: '(3)(1)' }, 'flashing (3) plus long-flashing'],
    [
      { litchr: 26, siggrp: '(6)(1)', sigper: 10 },
      'very quick-flash (6) plus long-flash every 10 s',
    ],
    [{ litchr: 2, siggrp: '(2)(1)' }, 'flashing (2+1)'],
    [{ litchr: 2, siggrp: '(1)', valnmr: 0 }, 'flashing'],
    [{ litchr: 1, sectr1: 10.25, sectr2: 20 }, /from 010\.25° to 020°/],
  ])('of a light %j is %s', (raw, words) => {
    const text = said('LIGHTS', raw);
    if (typeof words === 'string') expect(text).toBe(`Light, ${words}.`);
    else expect(text).toMatch(words);
  });

  test('of lights states with each light what not all of them have', () => {
    const base = { litchr: 1, height: 12, colour: [1], status: [8] };
    const day = { ...base, exclit: 2, sectr1: 10, sectr2: 20 };
    const around = { ...base, height: 9 };
    const object = { classCode: codeOf('LIGHTS'), raw: day, lights: [day, around] };
    expect(sentenceOf(object, 'meters')).toBe(
      'Light, fixed, white, height 9 m, private; sectors, as bearings from seaward: ' +
        'white from 010° to 020°, height 12 m, shown by day.',
    );
  });

  test('is plain words for every class, attribute and value of the catalogue', () => {
    const titles = ATTRIBUTES.map(({ name }) => name).filter((name) =>
      /^Category|\w+ \w+ \w+| one$/.test(name),
    );
    const faults: string[] = [];
    for (const acronym of [...OBJECT_CLASS_ACRONYMS, '']) {
      const classCode = objectClassByAcronym(acronym)?.code ?? 9999;
      // The facts of an attribute do not depend on the class.
      const most = acronym === '' || acronym === 'WRECKS' || acronym === 'LIGHTS' ? 200 : 1;
      const objects = ATTRIBUTES.flatMap((attribute) =>
        valuesOf(attribute)
          .slice(0, most)
          .map((value) => ({ [attribute.acronym.toLowerCase()]: value })),
      );
      for (const raw of [{}, ...objects]) {
        const text = sentenceOf({ classCode, raw }, 'feet');
        const isPlain =
          /^[A-Z0-9][^\0]{2,}\.$/.test(text) &&
          !/undefined|NaN|null|\[|,\s*[,.]|\b[A-Z_]{6}\b/.test(text) &&
          !titles.some((title) => text.includes(title));
        if (!isPlain) faults.push(`${acronym} ${JSON.stringify(raw)}: ${text}`);
      }
    }
    expect(faults.slice(0, 20)).toEqual([]);
  });
});
