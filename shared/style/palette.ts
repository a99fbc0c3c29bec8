// Day, dusk and night: every S-52 colour token as a screen colour, computed from its CIE facts, and
// the few tokens of our own.

import { THEMES, type Theme } from './options.ts';
import { type CieColor, type CieTriple, S52_CIE_COLORS } from './palette-cie.ts';
import { srgbFromCie } from './palette-srgb.ts';

type S52Token = keyof typeof S52_CIE_COLORS;

/**
 * Ours: BGLND and BGWTR land and water of the background, where no chart is; TXHAL text halo; SATHL
 * halo of text on imagery; UREPH, UREPA, UREPW and UREPL pins of reports (hazard, accident, weather,
 * wildlife).
 */
type OwnToken = 'BGLND' | 'BGWTR' | 'TXHAL' | 'SATHL' | 'UREPH' | 'UREPA' | 'UREPW' | 'UREPL';

export type ColorToken = S52Token | OwnToken;

/** Token to `#rrggbb` (SATHL: `#rrggbbaa`). */
export type Palette = Readonly<Record<ColorToken, string>>;

/** Own tokens that take the colour of an S-52 token, so that they follow each theme. */
const BORROWED: Readonly<Record<Exclude<OwnToken, 'SATHL' | 'BGLND' | 'BGWTR'>, S52Token>> = {
  TXHAL: 'DEPDW',
  UREPH: 'CHRED',
  UREPA: 'CHCOR',
  UREPW: 'RESBL',
  UREPL: 'CHGRN',
};

/**
 * Uncharted land as CIE x, y, L for day, dusk and night: LANDA with half its colour and more light,
 * so that it is paler than charted land in every theme and no water's colour.
 */
const UNCHARTED_LAND: CieTriple = [
  [0.325, 0.36, 70],
  [0.325, 0.36, 9],
  [0.325, 0.36, 1.7],
];

/**
 * Uncharted water: almost grey, and paler than any charted water, so that it reads as paper on which
 * nothing is drawn. NODTA of S-52 is darker by day than deep water, and looks like a kind of it. At
 * dusk and night it gives less light than NODTA: there may be much of it.
 */
const UNCHARTED_WATER: CieTriple = [
  [0.303, 0.322, 74],
  [0.29, 0.315, 5],
  [0.29, 0.315, 0.8],
];

/** Imagery has its own brightness in every theme; a translucent black is legible on all of it. */
const SATELLITE_HALO = '#000000a0';

const PALETTES: Readonly<Record<Theme, Palette>> = {
  day: makePalette('day'),
  dusk: makePalette('dusk'),
  night: makePalette('night'),
};

export function paletteFor(theme: Theme): Palette {
  return PALETTES[theme];
}

/** Every token that a palette has and a saved style may override, in the order of S-52. */
export const COLOR_TOKENS: readonly ColorToken[] = Object.keys(PALETTES.day) as ColorToken[];

function makePalette(theme: Theme): Palette {
  const column = THEMES.indexOf(theme);
  const facts = Object.entries(S52_CIE_COLORS) as [S52Token, readonly CieColor[]][];
  const standard = Object.fromEntries(
    facts.map(([token, triple]) => [token, srgbFromCie(triple[column] as CieColor)]),
  ) as Record<S52Token, string>;
  const borrowed = Object.fromEntries(
    Object.entries(BORROWED).map(([token, from]) => [token, standard[from]]),
  ) as Record<keyof typeof BORROWED, string>;
  const BGLND = srgbFromCie(UNCHARTED_LAND[column] as CieColor);
  const BGWTR = srgbFromCie(UNCHARTED_WATER[column] as CieColor);
  return { ...standard, BGLND, BGWTR, ...borrowed, SATHL: SATELLITE_HALO };
}
