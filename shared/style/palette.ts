// The palettes. Day, dusk and night contain every S-52 colour token, computed from its CIE values, and a few
// tokens of our own. `night-bright` and `yacht` are derived from them.

import { BASE_THEMES, type BaseTheme, type StyleOptions, type Theme } from './options.ts';
import { type CieColor, type CieTriple, S52_CIE_COLORS } from './palette-cie.ts';
import { srgbFromCie } from './palette-srgb.ts';

type S52Token = keyof typeof S52_CIE_COLORS;

/**
 * BGLND and BGWTR: land and water of the background, without charts. TXHAL: text halo. UREPH, UREPA, UREPW and
 * UREPL: markers of reports (hazard, accident, weather, wildlife).
 */
type OwnToken = 'BGLND' | 'BGWTR' | 'TXHAL' | 'UREPH' | 'UREPA' | 'UREPW' | 'UREPL';

export type ColorToken = S52Token | OwnToken;

/** Token to `#rrggbb`. */
export type Palette = Readonly<Record<ColorToken, string>>;

/** Own tokens with the colour of an S-52 token of the same theme. */
const BORROWED: Readonly<Record<Exclude<OwnToken, 'BGLND' | 'BGWTR'>, S52Token>> = {
  TXHAL: 'DEPDW',
  UREPH: 'CHRED',
  UREPA: 'CHCOR',
  UREPW: 'RESBL',
  UREPL: 'CHGRN',
};

/**
 * Uncharted land as CIE x, y, L for day, dusk and night: LANDA with half the saturation and more light, so that it
 * is paler than charted land in every theme and differs from all water.
 */
const UNCHARTED_LAND: CieTriple = [
  [0.325, 0.36, 70],
  [0.325, 0.36, 7.8],
  [0.325, 0.36, 1.7],
];

/**
 * Uncharted water: a warm grey, and paler than any charted water, so that it looks empty. All charted water is
 * blue. NODTA of S-52 is darker by day than deep water and could be mistaken for it. At dusk and night this colour
 * is darker than NODTA, because it may cover most of the screen.
 */
const UNCHARTED_WATER: CieTriple = [
  [0.318, 0.333, 84],
  [0.335, 0.338, 5],
  [0.335, 0.335, 1.2],
];

/** Areas of `night-bright` that keep the colours of night, so that the whole screen stays dark. */
const NIGHT_GROUNDS: ReadonlySet<string> = new Set([
  ...(['NODTA', 'LANDA', 'CHBRN', 'DEPDW', 'DEPMD', 'DEPMS', 'DEPVS', 'DEPIT', 'UIBCK'] as const),
  ...(['UIAFD', 'UIAFF', 'OUTLW', 'OUTLL', 'BKAJ1', 'BKAJ2', 'BGLND', 'BGWTR', 'TXHAL'] as const),
]);

/** Lines: a contrast of at least 3:1 on every water and land of night. */
const NIGHT_LINE = srgbFromCie([0.31, 0.325, 16]);
/** Text: a contrast of at least 4.5:1. */
const NIGHT_TEXT = srgbFromCie([0.31, 0.325, 26]);

/** Colours of `yacht` as CIE x, y, L that differ from day: paler and greyer areas, less magenta. */
const CALM: Readonly<Partial<Record<ColorToken, CieColor>>> = {
  LANDA: [0.336, 0.356, 66],
  BGLND: [0.33, 0.349, 73],
  CHBRN: [0.352, 0.366, 46],
  LANDF: [0.39, 0.385, 22],
  DEPIT: [0.297, 0.345, 45],
  // As distinct from deep water as by day.
  DEPVS: [0.226, 0.245, 45.5],
  DEPMS: [0.243, 0.269, 56],
  DEPMD: [0.266, 0.297, 67.5],
  DEPDW: [0.296, 0.317, 84],
  TXHAL: [0.296, 0.317, 84],
  BGWTR: [0.318, 0.333, 90],
  CHMGD: [0.3, 0.225, 22],
  CHMGF: [0.295, 0.262, 44],
  TRFCD: [0.3, 0.225, 22],
  TRFCF: [0.295, 0.262, 50],
  CSTLN: [0.29, 0.31, 14],
  // Soundings: a contrast of at least 4.5:1 on every water. Contours: 2:1.
  SNDG1: [0.28, 0.31, 6],
  DEPCN: [0.28, 0.31, 18],
};

/** Text on land at dusk: a contrast of at least 4.5:1 on all land. Texts of S-52 have 2:1. */
const DUSK_LAND_TEXT = srgbFromCie([0.28, 0.31, 55]);

const PALETTES: Readonly<Record<Theme, Palette>> = {
  day: makePalette('day'),
  dusk: makePalette('dusk'),
  night: makePalette('night'),
  'night-bright': brightNight(),
  yacht: calmDay(),
};

export function paletteFor(theme: Theme): Palette {
  return PALETTES[theme];
}

/** The colour of texts on land, which a saved style may override. */
export const landText = (
  { theme, colors }: Pick<StyleOptions, 'theme' | 'colors'>,
  token: 'CHBLK' | 'CHGRD',
): string => colors[token] ?? (theme === 'dusk' ? DUSK_LAND_TEXT : PALETTES[theme][token]);

/** All tokens of a palette, in the order of S-52. A saved style may override them. */
export const COLOR_TOKENS: readonly ColorToken[] = Object.keys(PALETTES.day) as ColorToken[];

function makePalette(theme: BaseTheme): Palette {
  const column = BASE_THEMES.indexOf(theme);
  const facts = Object.entries(S52_CIE_COLORS) as [S52Token, readonly CieColor[]][];
  const standard = Object.fromEntries(
    facts.map(([token, triple]) => [token, srgbFromCie(triple[column] as CieColor)]),
  ) as Record<S52Token, string>;
  const borrowed = Object.fromEntries(
    Object.entries(BORROWED).map(([token, from]) => [token, standard[from]]),
  ) as Record<keyof typeof BORROWED, string>;
  const BGLND = srgbFromCie(UNCHARTED_LAND[column] as CieColor);
  const BGWTR = srgbFromCie(UNCHARTED_WATER[column] as CieColor);
  return { ...standard, BGLND, BGWTR, ...borrowed };
}

/**
 * For phones and tablets, whose screens show the night palette of S-52 as black: areas of night, symbols of dusk,
 * and legible lines and text (WCAG 2: 4.5:1 for text, 3:1 for lines).
 */
function brightNight(): Palette {
  const [night, dusk] = [makePalette('night'), makePalette('dusk')];
  const palette = Object.fromEntries(
    Object.keys(night).map((name) => {
      const token = name as ColorToken;
      return [token, NIGHT_GROUNDS.has(token) ? night[token] : dusk[token]];
    }),
  ) as Record<ColorToken, string>;
  for (const token of ['CSTLN', 'DEPSC', 'DEPCN', 'CHGRF', 'LANDF'] as const)
    palette[token] = NIGHT_LINE;
  for (const token of ['CHBLK', 'CHGRD', 'SNDG1', 'SNDG2', 'CHWHT'] as const)
    palette[token] = NIGHT_TEXT;
  return palette;
}

/**
 * Day with softer areas and limits. Dangers keep their colours.
 */
function calmDay(): Palette {
  const calm = Object.entries(CALM).map(([token, tone]) => [token, srgbFromCie(tone)]);
  return { ...makePalette('day'), ...Object.fromEntries(calm) };
}
