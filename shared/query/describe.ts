// Describes a feature in words, which a pick report shows in addition to the codes.

import { valueMeaning } from '../s57/vocabulary/attribute-values.ts';
import { attributeByAcronym } from '../s57/vocabulary/attributes.ts';
import { lightText } from '../s57/vocabulary/light-text.ts';
import { isInland, objectClassByCode } from '../s57/vocabulary/object-classes.ts';
import { everyYear } from '../s57/vocabulary/periods.ts';
import { type Attributes, textOf } from '../s57/vocabulary/typed-values.ts';
import { counted } from './measures.ts';

interface Description {
  /** The class, followed by the name if the feature has one. */
  readonly title: string;
  readonly light?: string;
  readonly attributes: readonly WordedAttribute[];
}

interface WordedAttribute {
  /** Lower-case acronym, as in the raw attributes. */
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

/** @param raw attributes by lower-case acronym */
export function describeFeature(classCode: number, raw: Attributes): Description {
  const className = objectClassByCode(classCode)?.name ?? `Object class ${classCode}`;
  const name = textOf(raw, 'objnam') ?? textOf(raw, 'nobjnm') ?? '';
  const light = classCode === LIGHTS ? lightText([upperCased(raw)])?.tx : undefined;
  return {
    title: name === '' ? className : `${className}: ${name}`,
    ...(light === undefined ? {} : { light }),
    attributes: Object.entries(raw).map(([id, value]) => inWords(id, value, isInland(classCode))),
  };
}

const LIGHTS = 75;

const upperCased = (raw: Attributes): Attributes =>
  Object.fromEntries(Object.entries(raw).map(([id, value]) => [id.toUpperCase(), value]));

function inWords(id: string, value: Attributes[string], isOfInland: boolean): WordedAttribute {
  // Inland attributes have their own acronyms in lower case.
  const attribute = attributeByAcronym(id.toUpperCase()) ?? attributeByAcronym(id);
  const name = attribute?.name.replace(/\s+/g, ' ') ?? id.toUpperCase();
  const isEnumerated = attribute?.type === 'E' || attribute?.type === 'L';
  const values = (Array.isArray(value) ? value : [value]).filter(isStated);
  const words = values.map((one: number | string) =>
    isEnumerated ? wordsFor(isOfInland ? id : attribute.acronym, String(one)) : measured(id, one),
  );
  return { id, name, value: words.join(', ') || 'unknown' };
}

/** Parts of a list and layers of the seabed may be blank. */
const isStated = (value: number | string): boolean => String(value).trim() !== '';

/** `1/9`: layers of the seabed, the upper first. */
const wordsFor = (acronym: string, value: string): string =>
  value
    .split('/')
    .filter(isStated)
    .map((code) => valueMeaning(acronym, Number(code)) || code)
    .join(' over ');

/** Attributes in metres (S-57 Appendix A, chapter 2, and the catalogue of inland ENCs). */
export const METERS: ReadonlySet<string> = new Set(
  `burdep drval1 drval2 elevat height horacc horclr horlen horwid posacc radius sdismn sdismx souacc valdco
  disipu disipd disbk1 disbk2 eleva1 eleva2 valsou veracc verccl verclr vercop vercsa verlen horcll horclw`.split(
    /\s+/,
  ),
);
const UNITS: Readonly<Record<string, string>> = {
  orient: '° true',
  sectr1: '° true, from seaward',
  sectr2: '° true, from seaward',
  sigper: ' s',
  sigfrq: ' Hz',
  lifcap: ' t',
  valmag: '°',
  vallma: '°',
  valacm: '′',
};
const COUNTED: Readonly<Record<string, string>> = {
  valnmr: 'nautical mile',
  estrng: 'nautical mile',
  valmxr: 'nautical mile',
  curvel: 'knot',
};
const DATES = new Set('cpdate datend datsta perend persta recdat sordat surend sursta'.split(' '));

function measured(id: string, value: number | string): string {
  const text = String(value);
  if (DATES.has(id)) return dateText(id.startsWith('per') ? everyYear(text) : text);
  if (typeof value !== 'number') return text;
  const unit = COUNTED[id];
  if (unit !== undefined) return counted(value, unit);
  return text + (METERS.has(id) ? ' m' : (UNITS[id] ?? ''));
}

/** Inserts hyphens into CCYY[MM[DD]]. --MM[DD] is a date of every year. */
function dateText(text: string): string {
  const [, year, month, day] = /^(\d{4}|--(?=\d))(\d\d)?(\d\d)?$/.exec(text) ?? [];
  if (year === undefined) return text;
  if (year === '--') return `${[month, day].filter(Boolean).join('-')} of every year`;
  return [year, month, day].filter(Boolean).join('-');
}
