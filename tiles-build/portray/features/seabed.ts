// The nature of the sea bed in abbreviations of INT 1, section J: `S M`, `fS`, `R`.

import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { textOf } from '../../../shared/s57/vocabulary/typed-values.ts';

/**
 * NATSUR: mud, clay, silt, sand, stone, gravel, pebbles, cobbles, rock, lava, coral, shells,
 * boulder.
 */
const SURFACES: Readonly<Record<string, string>> = {
  1: 'M',
  2: 'Cy',
  3: 'Si',
  4: 'S',
  5: 'St',
  6: 'G',
  7: 'P',
  8: 'Cb',
  9: 'R',
  11: 'Lv',
  14: 'Co',
  17: 'Sh',
  18: 'Bo',
};

/** NATQUA: fine, medium, coarse, broken, sticky, soft, stiff, volcanic, calcareous, hard. */
const QUALITIES: Readonly<Record<string, string>> = {
  1: 'f',
  2: 'm',
  3: 'c',
  4: 'bk',
  5: 'sy',
  6: 'so',
  7: 'sf',
  8: 'v',
  9: 'ca',
  10: 'h',
};

/**
 * Text of a sea bed, or `undefined` if nothing is known. Qualities belong to surfaces by position
 * as in S-57: `NATSUR 4,1` with `NATQUA 1,` is fine sand, then mud.
 */
export function seabedText(attributes: Attributes): string | undefined {
  const surfaces = partsOf(attributes, 'NATSUR');
  const qualities = partsOf(attributes, 'NATQUA');
  const words = surfaces.flatMap((surface, index) => {
    const word = SURFACES[surface];
    return word === undefined ? [] : [(QUALITIES[qualities[index] ?? ''] ?? '') + word];
  });
  if (words.length > 0) return words.join(' ');
  const alone = qualities.flatMap((quality) => QUALITIES[quality] ?? []);
  return alone.length === 0 ? undefined : alone.join(' ');
}

/** Parts of a list by position, including empty ones. */
function partsOf(attributes: Attributes, acronym: string): readonly string[] {
  const value = attributes[acronym];
  if (Array.isArray(value)) return value.map((part) => String(part).trim());
  const text = textOf(attributes, acronym);
  return text === undefined ? [] : text.split(/[,/]/).map((part) => part.trim());
}
