// What an object is, in the terms of sailing directions: the first part of its description.

import { valueMeaning } from '../s57/vocabulary/attribute-values.ts';
import { objectClassByCode } from '../s57/vocabulary/object-classes.ts';
import { type Attributes, listOf, numberOf, textOf } from '../s57/vocabulary/typed-values.ts';

/** Nouns that replace class names of the S-57 catalogue that are not suitable for a sentence. */
const NOUNS: Readonly<Record<string, string>> = {
  ADMARE: 'administrative area',
  ARCSLN: 'archipelagic sea lane',
  ASLXIS: 'axis of an archipelagic sea lane',
  BCNSPP: 'special purpose beacon',
  BCNWTW: 'waterway beacon',
  BERTHS: 'berth',
  BOYSPP: 'special purpose buoy',
  BOYWTW: 'waterway buoy',
  BUISGL: 'building',
  COSARE: 'continental shelf',
  CURENT: 'current',
  CUSZNE: 'customs zone',
  DEPARE: 'water',
  DWRTCL: 'centre line of a deep-water route',
  DWRTPT: 'deep-water route',
  EXEZNE: 'exclusive economic zone',
  HRBARE: 'harbour area',
  ISTZNE: 'inshore traffic zone',
  LNDARE: 'land',
  NEWOBJ: 'new object',
  RCRTCL: 'centre line of a recommended route',
  RCTLPT: 'recommended traffic lane',
  SBDARE: 'seabed',
  SEAARE: 'named water',
  SLCONS: 'shoreline construction',
  SLOTOP: 'top of a slope',
  SMCFAC: 'facilities for small craft',
  TESARE: 'territorial sea',
  TSELNE: 'traffic separation line',
  TSEZNE: 'traffic separation zone',
  TSSBND: 'boundary of a traffic separation scheme',
  TSSCRS: 'crossing of a traffic separation scheme',
  TSSLPT: 'lane of a traffic separation scheme',
  TSSRON: 'roundabout of a traffic separation scheme',
  TWRTPT: 'two-way route',
  UNSARE: 'unsurveyed area, depths unknown',
  UWTROC: 'rock',
  VEGATN: 'vegetation',
  M_ACCY: 'accuracy of the chart',
  M_COVR: 'coverage of the chart',
  M_CSCL: 'scale of the chart',
  M_HDAT: 'horizontal datum of the chart',
  M_HOPA: 'datum shift of the chart',
  M_NPUB: 'note about publications',
  M_NSYS: 'system of buoyage',
  M_PROD: 'chart production information',
  M_QUAL: 'quality of the survey',
  M_SREL: 'reliability of the survey',
  M_UNIT: 'units of the chart',
  M_VDAT: 'vertical datum of the chart',
  C_AGGR: 'group of objects',
  C_ASSO: 'associated objects',
  C_STAC: 'stacked objects',
  $AREAS: 'area drawn by the chart producer',
  $LINES: 'line drawn by the chart producer',
  $CSYMB: 'symbol drawn by the chart producer',
  $COMPS: 'compass rose drawn by the chart producer',
  $TEXTS: 'text written by the chart producer',
};

/** Category attributes whose values replace the name of the class. For other classes, `factsOf` adds the category. */
const CATEGORIES: Readonly<Record<string, string>> = Object.fromEntries(
  `ACHARE CATACH AIRARE CATAIR BRIDGE CATBRG BUAARE CATBUA BUISGL FUNCTN COALNE CATCOA CONVYR CATCON
  CTRPNT CATCTR DAMCON CATDAM DMPGRD CATDPG FNCLNE CATFNC FORSTC CATFOR FSHFAC CATFIF GATCON CATGAT
  HRBFAC CATHAF ICEARE CATICE LNDMRK CATLMK LNDRGN CATLND MIPARE CATMPA MORFAC CATMOR NAVLNE CATNAV
  OBSTRN CATOBS OFSPLF CATOFP OILBAR CATOLB PRDARE CATPRA PYLONS CATPYL RADSTA CATRAS RESARE CATREA
  ROADWY CATROD RSCSTA CATRSC RTPBCN CATRTB SEAARE CATSEA SILTNK CATSIL SLCONS CATSLC SLOGRD CATSLO
  SLOTOP CATSLO TS_FEB CAT_TS VEGATN CATVEG WATTUR CATWAT WEDKLP CATWED WRECKS CATWRK`
    .split(/\s+/)
    .reduce<[string, string][]>((pairs, word, i, words) => {
      if (i % 2 === 0) pairs.push([word, words[i + 1]!]);
      return pairs;
    }, []),
);

const LATERAL: Readonly<Record<number, string>> = {
  1: 'port-hand',
  2: 'starboard-hand',
  3: 'preferred-channel-to-starboard',
  4: 'preferred-channel-to-port',
};
const CARDINAL: Readonly<Record<number, string>> = { 1: 'north', 2: 'east', 3: 'south', 4: 'west' };
const ROCKS: Readonly<Record<number, string>> = {
  1: 'rock above water',
  2: 'rock above water',
  3: 'rock under water',
  4: 'rock that covers and uncovers',
  5: 'rock awash',
};

export interface Head {
  /** Starts with a lower-case letter, unless the chart gives the name of the class (CLSNAM). */
  readonly words: string;
  /** Attributes whose values are in `words`. */
  readonly used: readonly string[];
}

/** @param attributes by upper-case acronym */
export function headOf(classCode: number, attributes: Attributes): Head {
  const { acronym = '', name = 'unknown object' } = objectClassByCode(classCode) ?? {};
  const id = acronym.toUpperCase();
  return (
    markHead(id, attributes) ??
    categoryHead(id, attributes) ?? { words: NOUNS[id] ?? nounOf(name), used: [] }
  );
}

function markHead(id: string, attributes: Attributes): Head | undefined {
  const kind = id.startsWith('BOY') ? 'buoy' : 'beacon';
  if (/^B(OY|CN)LAT$/.test(id)) {
    const side = LATERAL[numberOf(attributes, 'CATLAM') ?? 0];
    if (side !== undefined) return { words: `${side} ${kind}`, used: ['CATLAM'] };
  }
  if (/^B(OY|CN)CAR$/.test(id)) {
    const quarter = CARDINAL[numberOf(attributes, 'CATCAM') ?? 0];
    if (quarter !== undefined) return { words: `${quarter} cardinal ${kind}`, used: ['CATCAM'] };
  }
  if (id === 'UWTROC') {
    const rock = ROCKS[numberOf(attributes, 'WATLEV') ?? 0];
    if (rock !== undefined) return { words: rock, used: ['WATLEV'] };
  }
  if (id === 'DEPARE') {
    const isKnown = ['DRVAL1', 'DRVAL2'].some((name) => numberOf(attributes, name) !== undefined);
    return isKnown ? undefined : { words: 'water, depth unknown', used: [] };
  }
  const measured = { M_SDAT: 'depths below', M_VDAT: 'heights above' }[id];
  const datum = datumOf(attributes);
  if (measured !== undefined && datum !== undefined) {
    return { words: `${measured} ${datum}`, used: ['VERDAT'] };
  }
  if (id === 'NEWOBJ') {
    const name = textOf(attributes, 'CLSNAM');
    if (name !== undefined) return { words: name, used: ['CLSNAM'] };
  }
  return undefined;
}

function categoryHead(id: string, attributes: Attributes): Head | undefined {
  const listed = CATEGORIES[id];
  if (listed === undefined) return undefined;
  const inland = listed.toLowerCase();
  const category = inland in attributes ? inland : listed;
  const words = listOf(attributes, category).flatMap((code) => meaningOf(category, code) ?? []);
  return words.length === 0 ? undefined : { words: words.join(' and '), used: [category] };
}

/** The meaning of a value without remarks such as `(see INFORM)`; `undefined` if nothing is left. */
export function meaningOf(acronym: string, code: number): string | undefined {
  const words = valueMeaning(acronym, code)
    ?.replace(/\(see INFORM\)/, '')
    .replace(/`/g, '’')
    .replace(/ \/ | ?\/(?=[a-z])/g, ' or ')
    .replace(/\s+/g, ' ')
    .replace('( ', '(')
    .trim();
  return words === undefined || words === '' ? undefined : words;
}

/** Names of datums begin with a capital in the catalogue; those of a nation or a body keep it. */
export const datumOf = (attributes: Attributes): string | undefined =>
  meaningOf('VERDAT', numberOf(attributes, 'VERDAT') ?? 0)?.replace(/^(?!In)./, (letter) =>
    letter.toLowerCase(),
  );

/** Converts `Buoy, lateral` to `lateral buoy`. */
function nounOf(name: string): string {
  const [noun = '', kind] = name
    .replace(/\(.*\)/, '')
    .replace(/ ?\/ ?/g, ' or ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .split(', ');
  return kind === undefined ? noun : `${kind} ${noun}`;
}
