// The nature of the sea bed in abbreviations of INT 1, section J: `S M`, `fS`, `R`.

import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { surfacesOf } from '../../../shared/s57/vocabulary/seabed.ts';

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

/** Text of a sea bed, `S/M` for sand over mud; `undefined` if nothing is known. */
export function seabedText(attributes: Attributes): string | undefined {
  const words = surfacesOf(attributes).map((layers) =>
    layers
      .map(({ surface, quality }) => {
        const word = SURFACES[surface];
        return word === undefined && surface !== ''
          ? ''
          : (QUALITIES[quality] ?? '') + (word ?? '');
      })
      .filter((word) => word !== '')
      .join('/'),
  );
  return words.filter((word) => word !== '').join(' ') || undefined;
}
