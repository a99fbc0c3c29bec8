// The editable colours of a style: one row per colour token, with the theme's colour as default.

import type { Theme } from '../../../shared/style/options.ts';
import { type ColorToken, paletteFor } from '../../../shared/style/palette.ts';

/** The tokens that cover most of a chart, with labels. */
const COLORS: readonly (readonly [token: ColorToken, label: string])[] = [
  ['DEPIT', 'Drying ground'],
  ['DEPVS', 'Very shallow water'],
  ['DEPMS', 'Shallow water'],
  ['DEPMD', 'Medium depths'],
  ['DEPDW', 'Deep water'],
  ['DEPSC', 'Safety contour'],
  ['DEPCN', 'Other contours'],
  ['SNDG2', 'Shallow soundings'],
  ['SNDG1', 'Deep soundings'],
  ['LANDA', 'Land'],
  ['BGLND', 'Land without charts'],
  ['BGWTR', 'Water without charts'],
  ['CHBRN', 'Built-up areas'],
  ['LANDF', 'Roads and hills'],
  ['CSTLN', 'Coastline'],
  ['CHMGD', 'Restrictions and cables'],
  ['CHGRD', 'Fairways and place names'],
  ['CHBLK', 'Text'],
  ['TXHAL', 'Text halo'],
];

export type Colors = Readonly<Record<string, string>>;

/**
 * Creates the rows.
 *
 * @param colors colours that differ from the theme
 * @param changed called with the changed token; an empty value resets it to the theme
 */
export function colorRows(
  theme: Theme,
  colors: Colors,
  changed: (colors: Colors) => void,
): HTMLElement[] {
  const palette = paletteFor(theme);
  return COLORS.map(([token, label]) => {
    const row = document.createElement('div');
    const input = document.createElement('input');
    Object.assign(input, { type: 'color', id: `color-${token}`, name: token });
    const words = document.createElement('label');
    words.htmlFor = input.id;
    words.textContent = label;
    const reset = document.createElement('button');
    Object.assign(reset, { type: 'button', textContent: 'Reset' });
    reset.setAttribute('aria-label', `Reset ${label}`);
    const ownColors = { ...colors };
    const show = () => {
      input.value = (ownColors[token] ?? palette[token]).slice(0, 7);
      reset.hidden = ownColors[token] === undefined;
    };
    input.addEventListener('input', () => {
      ownColors[token] = input.value;
      reset.hidden = false;
      changed({ [token]: input.value });
    });
    reset.addEventListener('click', () => {
      delete ownColors[token];
      show();
      input.focus();
      changed({ [token]: '' });
    });
    show();
    row.append(words, reset, input);
    return row;
  });
}
