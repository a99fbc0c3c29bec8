// What an attribute says about an object, as part of a sentence.

import { attributeByAcronym } from '../s57/vocabulary/attributes.ts';
import { channelsText } from '../s57/vocabulary/channels.ts';
import { everyYear } from '../s57/vocabulary/periods.ts';
import { type Surface, surfacesOf } from '../s57/vocabulary/seabed.ts';
import { type Attributes, listOf, numberOf, textOf } from '../s57/vocabulary/typed-values.ts';
import {
  clearanceWords,
  counted,
  dateWords,
  degreesWords,
  depthWords,
  heightWords,
  type ReaderUnits,
} from './measures.ts';
import { datumOf, meaningOf } from './sentence-heads.ts';

/** Returns `undefined` if the attribute says nothing to a mariner. */
type Fact = (attributes: Attributes, units: ReaderUnits) => string | undefined;

const words = (acronym: string, own: Readonly<Record<number, string>> = {}): Fact => {
  return (attributes) => {
    const words = listOf(attributes, acronym).flatMap(
      (code) => own[code] ?? meaningOf(acronym, code) ?? [],
    );
    return words.filter((word) => word !== SILENT).join(', ') || undefined;
  };
};
/** Marks a value that is not worth a word. */
const SILENT = '\0';

type Measure = (value: number, units: ReaderUnits) => string;
const measured = (acronym: string, text: (written: string) => string, by: Measure): Fact => {
  return (attributes, units) => {
    const value = numberOf(attributes, acronym);
    return value === undefined ? undefined : text(by(value, units));
  };
};
const quoted = (acronym: string, text: (written: string) => string | undefined): Fact => {
  return (attributes) => {
    const value = textOf(attributes, acronym);
    return value === undefined ? undefined : text(value);
  };
};

const DEPTHS = ['DRVAL1', 'DRVAL2', 'VALSOU', 'VALDCO'];
const HEIGHTS = ['ELEVAT', 'HEIGHT', 'VERCLR', 'VERCCL', 'VERCOP', 'VERCSA'];

const before = (words: string) => (written: string) => `${words} ${written}`;
const plain: Measure = (value) => String(value);
const bearing: Measure = degreesWords;

export const depthOrHeight: Measure = (meters, units) =>
  meters < 0 ? `dries ${depthWords(meters, units)}` : depthWords(meters, units);

const HORIZONTAL = 1;
/** Bands in order, `black, yellow, black`; otherwise each colour once. */
const colours: Fact = (attributes) => {
  const codes = listOf(attributes, 'COLOUR');
  const patterns = listOf(attributes, 'COLPAT');
  const isBanded = codes.length > 2 && (patterns.length === 0 || patterns.includes(HORIZONTAL));
  const names = (isBanded ? codes : [...new Set(codes)]).flatMap(
    (code) => meaningOf('COLOUR', code) ?? [],
  );
  const pattern = words('COLPAT')(attributes, 'meters');
  const listed =
    isBanded || names.length < 2
      ? names.join(', ')
      : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return known([listed, pattern]).join(', ') || undefined;
};

const depths: Fact = (attributes, units) => {
  const [first, second] = [numberOf(attributes, 'DRVAL1'), numberOf(attributes, 'DRVAL2')];
  // Some charts have the two swapped.
  const isSwapped = first !== undefined && second !== undefined && second < first;
  const [least, most] = isSwapped ? [second, first] : [first, second];
  if (least === undefined)
    return most === undefined ? undefined : `depths to ${depthOrHeight(most, units)}`;
  if (most === undefined || most === least) return `depth ${depthOrHeight(least, units)}`;
  if (least < 0)
    return most <= 0
      ? `dries up to ${depthWords(least, units)}`
      : `dries up to ${depthWords(least, units)}, depths to ${depthWords(most, units)}`;
  return `depths from ${depthWords(least, units)} to ${depthWords(most, units)}`;
};

const MIN_DEPTH_KNOWN = 6;
const sounding: Fact = (attributes, units) => {
  const value = numberOf(attributes, 'VALSOU');
  if (value === undefined) return undefined;
  const isLeast = value >= 0 && listOf(attributes, 'QUASOU').includes(MIN_DEPTH_KNOWN);
  return `${isLeast ? 'least depth ' : ''}${depthOrHeight(value, units)}`;
};

const seabed: Fact = (attributes) => {
  const inWords = ({ surface, quality }: Surface) =>
    known([meaningOf('NATQUA', Number(quality)), meaningOf('NATSUR', Number(surface))]).join(' ');
  const layered = surfacesOf(attributes).map((layers) => known(layers.map(inWords)).join(' over '));
  return known(layered).join(' and ') || undefined;
};
const known = (words: readonly (string | undefined)[]) =>
  words.filter((word) => word !== undefined && word !== '');

/** The datum of heights if the object has any, otherwise that of its depths. */
const verticalDatum: Fact = (attributes) => {
  const datum = datumOf(attributes);
  const hasAny = (names: readonly string[]) =>
    names.some((name) => numberOf(attributes, name) !== undefined);
  const kind = hasAny(HEIGHTS)
    ? 'heights above'
    : hasAny(DEPTHS)
      ? 'depths below'
      : 'vertical datum';
  return datum && `${kind} ${datum}`;
};

const period =
  (from: string, to: string, words = dateWords, every = ''): Fact =>
  (attributes) => {
    const [start, end] = [textOf(attributes, from), textOf(attributes, to)];
    const parts = [
      start === undefined ? [] : [`from ${words(start)}`],
      end === undefined ? [] : [`until ${words(end)}`],
    ].flat();
    return parts.length === 0 ? undefined : parts.join(' ') + every;
  };
const season = (date: string): string => dateWords(everyYear(date));

const sector: Fact = (attributes) => {
  const [from, to] = [numberOf(attributes, 'SECTR1'), numberOf(attributes, 'SECTR2')];
  if (from === undefined || to === undefined) return undefined;
  return `sector from ${degreesWords(from)} to ${degreesWords(to)}, bearings from seaward`;
};

const variation: Fact = (attributes) => {
  const value = numberOf(attributes, 'VALMAG');
  if (value === undefined) return undefined;
  const year = textOf(attributes, 'RYRMGV');
  return `${Math.abs(value)}° ${value < 0 ? 'west' : 'east'}${year === undefined ? '' : ` in ${year}`}`;
};

/** In the order of a sentence. An attribute that belongs to another's fact is `undefined`. */
const FACTS: Readonly<Record<string, Fact | undefined>> = {
  VALSOU: sounding,
  QUASOU: words('QUASOU', {
    1: SILENT,
    3: 'depth doubtful',
    4: 'depth unreliable',
    6: SILENT,
    7: 'least depth unknown, clear at this depth',
    8: 'depth reported, not surveyed',
    9: 'depth reported, not confirmed',
    10: 'depth maintained',
    11: 'depth not regularly maintained',
  }),
  TECSOU: words('TECSOU'),
  DRVAL1: depths,
  DRVAL2: undefined,
  VALDCO: measured('VALDCO', (written) => written, depthOrHeight),
  WATLEV: words('WATLEV', {
    1: 'partly covered at high water',
    2: 'above water',
    3: 'under water',
    6: 'floods at times',
  }),
  EXPSOU: words('EXPSOU', {
    1: SILENT,
    2: 'shoaler than the water around it',
    3: 'deeper than the water around it',
  }),
  QUAPOS: words('QUAPOS', {
    1: SILENT,
    2: 'position not surveyed',
    3: 'position inadequately surveyed',
    4: 'position approximate',
    5: 'position doubtful',
    6: 'position unreliable',
    7: 'position reported, not surveyed',
    8: 'position reported, not confirmed',
    9: 'position estimated',
    10: SILENT,
    11: SILENT,
  }),
  BOYSHP: words('BOYSHP', { 1: 'conical', 2: 'can', 5: 'spar', 6: 'barrel', 7: 'super-buoy' }),
  BCNSHP: words('BCNSHP', { 1: 'stake or pole' }),
  TOPSHP: words('TOPSHP', { 4: 'two spheres', 33: 'other shape' }),
  COLOUR: colours,
  COLPAT: undefined,
  VERCLR: measured('VERCLR', before('vertical clearance'), clearanceWords),
  VERCCL: measured('VERCCL', before('vertical clearance when closed'), clearanceWords),
  VERCOP: measured('VERCOP', before('vertical clearance when open'), clearanceWords),
  VERCSA: measured('VERCSA', before('safe vertical clearance'), clearanceWords),
  HORCLR: measured('HORCLR', before('horizontal clearance'), clearanceWords),
  ELEVAT: measured('ELEVAT', before('elevation'), heightWords),
  HEIGHT: measured('HEIGHT', before('height'), heightWords),
  VERLEN: measured('VERLEN', (written) => `${written} high`, heightWords),
  HORLEN: measured('HORLEN', (written) => `${written} long`, heightWords),
  HORWID: measured('HORWID', (written) => `${written} wide`, heightWords),
  horcll: measured('horcll', before('clearance in length'), clearanceWords),
  horclw: measured('horclw', before('clearance in width'), clearanceWords),
  RADIUS: measured('RADIUS', before('radius'), heightWords),
  BURDEP: measured('BURDEP', before('buried to'), heightWords),
  ORIENT: measured('ORIENT', before('direction'), bearing),
  CURVEL: measured('CURVEL', before('rate'), (value) => counted(value, 'knot')),
  TRAFIC: words('TRAFIC', {
    3: 'one-way traffic',
    4: 'two-way traffic',
    1: 'inbound traffic',
    2: 'outbound traffic',
  }),
  SECTR1: sector,
  SECTR2: undefined,
  NATSUR: seabed,
  NATQUA: undefined,
  RESTRN: words('RESTRN'),
  SIGGRP: quoted('SIGGRP', before('signal')),
  SIGPER: measured('SIGPER', (written) => `every ${written} s`, plain),
  SIGGEN: words('SIGGEN', {
    1: 'sounded automatically',
    2: 'sounded by waves',
    3: 'sounded by hand',
    4: 'sounded by wind',
  }),
  SIGFRQ: measured(
    'SIGFRQ',
    (written) => written,
    (value) => `${value / 1000} kHz`,
  ),
  VALMXR: measured('VALMXR', before('range up to'), (value) => counted(value, 'nautical mile')),
  ESTRNG: measured('ESTRNG', before('range'), (value) => counted(value, 'nautical mile')),
  VALNMR: measured('VALNMR', before('range'), (value) => counted(value, 'nautical mile')),
  MLTYLT: measured('MLTYLT', (written) => `${written} lights`, plain),
  COMCHA: quoted('COMCHA', (text) => channelsText(text)?.replace(/^(?!VHF)/, 'channel ')),
  CALSGN: quoted('CALSGN', before('call sign')),
  PILDST: quoted('PILDST', before('pilot district')),
  LIFCAP: measured('LIFCAP', (written) => `lifts ${written} t`, plain),
  EXCLIT: words('EXCLIT', { 1: SILENT, 2: 'shown by day', 3: 'shown in fog', 4: 'shown at night' }),
  CONVIS: words('CONVIS', { 1: 'conspicuous', 2: 'not conspicuous' }),
  CONRAD: words('CONRAD', {
    1: 'conspicuous on radar',
    2: 'not conspicuous on radar',
    3: 'conspicuous on radar, has a radar reflector',
  }),
  MARSYS: words('MARSYS', { 10: 'other system' }),
  DUNITS: words('DUNITS', {
    1: 'depths in metres',
    2: 'depths in fathoms and feet',
    3: 'depths in feet',
    4: 'depths in fathoms and fractions',
  }),
  VERDAT: verticalDatum,
  HUNITS: words('HUNITS', { 1: 'heights in metres', 2: 'heights in feet' }),
  CSCALE: measured(
    'CSCALE',
    (written) => `1:${written}`,
    (value) => value.toLocaleString('en'),
  ),
  VALMAG: variation,
  RYRMGV: undefined,
  VALACM: measured(
    'VALACM',
    before('annual change'),
    (value) => `${Math.abs(value)}′ ${value < 0 ? 'west' : 'east'}`,
  ),
  VALLMA: measured('VALLMA', before('variation up to'), (value) => `${Math.abs(value)}°`),
  POSACC: measured('POSACC', before('position accurate to'), heightWords),
  SOUACC: measured('SOUACC', before('depths accurate to'), heightWords),
  SURSTA: period('SURSTA', 'SUREND', dateWords, ' (survey)'),
  SUREND: undefined,
  ICEFAC: measured('ICEFAC', before('ice factor'), plain),
  STATUS: words('STATUS', { 1: SILENT, 5: 'periodic', 17: 'not watched' }),
  CONDTN: words('CONDTN'),
  DATSTA: period('DATSTA', 'DATEND'),
  DATEND: undefined,
  PERSTA: period('PERSTA', 'PEREND', season, ' of every year'),
  PEREND: undefined,
};

/** A partner is the attribute whose fact is also that of the attribute. */
const PARTNERS: Readonly<Record<string, string>> = {
  DRVAL2: 'DRVAL1',
  COLPAT: 'COLOUR',
  SECTR2: 'SECTR1',
  NATQUA: 'NATSUR',
  RYRMGV: 'VALMAG',
  SUREND: 'SURSTA',
  DATEND: 'DATSTA',
  PEREND: 'PERSTA',
};
const ORDER = Object.keys(FACTS);

/** The facts of an object in the order of a sentence. @param used attributes that the head contains */
export function factsOf(
  attributes: Attributes,
  used: ReadonlySet<string>,
  units: ReaderUnits,
): readonly string[] {
  const names = new Set(Object.keys(attributes).map((name) => PARTNERS[name] ?? name));
  const placed = [...names]
    .filter((name) => !used.has(name))
    .sort((a, b) => placeOf(a) - placeOf(b));
  const facts = placed.flatMap((name) => factOf(name)(attributes, units) ?? []);
  return [...new Set(facts)];
}

/** Values of other enumerations come first: they describe the kind of the object. */
const placeOf = (name: string): number => ORDER.indexOf(name);

function factOf(name: string): Fact {
  const known = FACTS[name];
  if (known !== undefined) return known;
  const type = attributeByAcronym(name)?.type;
  return type === 'E' || type === 'L' ? words(name) : () => undefined;
}
