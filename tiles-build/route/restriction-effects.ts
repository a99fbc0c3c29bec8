// The effects of an area's restrictions (RESTRN of many classes, CATREA of RESARE) on navigability:
// some forbid entry, some areas are avoided unless the caller allows them, some are only quoted.

import { SEA_FLAGS } from '../../shared/route/sea.ts';
import type { Attributes } from '../../shared/s57/cell/cell.ts';
import { valueMeaning } from '../../shared/s57/vocabulary/attribute-values.ts';
import { listOf, textOf } from '../../shared/s57/vocabulary/typed-values.ts';
import { type Effect, NO_EFFECT } from './item.ts';

const codes = (list: string): ReadonlySet<number> => new Set(list.split(' ').map(Number));

/** RESTRN 7, entry prohibited; CATREA 14, minefield. */
const FORBID_ENTRY = { restrictions: codes('7'), categories: codes('14') };
/**
 * RESTRN 14, area to be avoided; CATREA 1, offshore safety zone (entry is forbidden by UNCLOS,
 * article 60), 12, safety zone of a navigational aid, and 18, swimming area.
 */
const TO_BE_AVOIDED = { restrictions: codes('14'), categories: codes('1 12 18') };
/** RESTRN 8, entry restricted. It includes regulated navigation areas of ordinary traffic. */
const RESTRICT_ENTRY = { restrictions: codes('8'), categories: codes('') };
/**
 * Restrictions that apply to a vessel under way and close no water: RESTRN 13, no wake, 25,
 * stopping prohibited, 27, speed restricted, and those of inland charts on overtaking, passing,
 * turning, depth and width (28 to 30, 35 to 37); CATREA 8, degaussing range, 9, military area, 24,
 * no wake, 25, swinging area, 26, water skiing.
 */
const BIND_UNDER_WAY = {
  restrictions: codes('13 25 27 28 29 30 35 36 37'),
  categories: codes('8 9 24 25 26'),
};
const MILITARY_AREA = 9;

const PROHIBITED: Effect = {
  ...NO_EFFECT,
  kind: 'prohibited',
  flags: SEA_FLAGS.prohibited,
};
const AVOIDED: Effect = { ...NO_EFFECT, kind: 'to-be-avoided', flags: SEA_FLAGS.toBeAvoided };
const RESTRICTED: Effect = { ...NO_EFFECT, kind: 'restricted', flags: SEA_FLAGS.restricted };
const MILITARY: Effect = { ...NO_EFFECT, flags: SEA_FLAGS.military };
/** Has no edges in the water. A path that meets it gets a warning. */
const QUOTED: Effect = { ...NO_EFFECT, flags: SEA_FLAGS.noticed, notice: 'restriction' };

/**
 * The effects of an area's restrictions: the most severe of prohibited, to be avoided and
 * restricted, and a notice that quotes all of them.
 */
export function restrictionEffects(acronym: string, attributes: Attributes): readonly Effect[] {
  const restrictions = listOf(attributes, 'RESTRN');
  // CATREA is only an attribute of RESARE.
  const categories = acronym === 'RESARE' ? listOf(attributes, 'CATREA') : [];
  const meets = (group: typeof FORBID_ENTRY) =>
    restrictions.some((code) => group.restrictions.has(code)) ||
    categories.some((code) => group.categories.has(code));
  const effects: Effect[] = [];
  if (meets(FORBID_ENTRY)) effects.push(PROHIBITED);
  else if (meets(TO_BE_AVOIDED)) effects.push(AVOIDED);
  else if (meets(RESTRICT_ENTRY)) effects.push(RESTRICTED);
  if (categories.includes(MILITARY_AREA)) effects.push(MILITARY);
  if (effects.length > 0 || meets(BIND_UNDER_WAY)) effects.push(QUOTED);
  return effects;
}

const MAX_QUOTED = 200;

/** The restrictions of an area in words, and the additional text of its producer (INFORM). */
export function restrictionText(attributes: Attributes): string {
  const words = ['RESTRN', 'CATREA'].flatMap((acronym) =>
    listOf(attributes, acronym).map((code) => valueMeaning(acronym, code) ?? `${acronym} ${code}`),
  );
  return quoted([...new Set(words)].join(', '), textOf(attributes, 'INFORM'));
}

/** Appends the producer's text to `words`, cut to a length that fits a message. */
export function quoted(words: string, text: string | undefined): string {
  if (text === undefined) return words;
  const line = text.replace(/\s+/g, ' ');
  const short = line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED - 1).trimEnd()}…` : line;
  return words === '' ? `“${short}”` : `${words}: “${short}”`;
}
