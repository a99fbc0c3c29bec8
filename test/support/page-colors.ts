// Measures the colours of a page or picture, and the share of pixels that are too bright at night.

import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import type { Palette } from '../../shared/style/palette.ts';

/** A pixel is too bright if red, green and blue are above this, of 255. */
const BRIGHT = 150;

/** Share of the pixels by colour (`#rrggbb`), 0 to 1. */
export type ColorShares = ReadonlyMap<string, number>;

/** A page, or a part of it. */
type Shown = Pick<Page | Locator, 'screenshot'>;

/** @param options for a part of the page */
export async function colorShares(
  shown: Shown,
  options?: Parameters<Page['screenshot']>[0],
): Promise<ColorShares> {
  return sharesOf(PNG.sync.read(await shown.screenshot(options)));
}

export function sharesOf({ data }: Pick<PNG, 'data'>): ColorShares {
  // By number: names are made once for each colour, not for each pixel.
  const counts = new Map<number, number>();
  for (let i = 0; i < data.length; i += 4) {
    const color = (data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!;
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const named = [...counts].map(
    ([color, count]) =>
      [`#${color.toString(16).padStart(6, '0')}`, (4 * count) / data.length] as const,
  );
  return new Map(named);
}

/** @returns the share of the chart's colours of land and water */
export function landAndWater(
  shares: ColorShares,
  { DEPDW, DEPMD, DEPMS, DEPVS, LANDA }: Palette,
): number {
  const hexes = new Set([DEPDW, DEPMD, DEPMS, DEPVS, LANDA].map((hex) => hex.toLowerCase()));
  return [...hexes].reduce((sum, hex) => sum + (shares.get(hex) ?? 0), 0);
}

/** @returns the share of pixels that are too bright */
export async function shareOfGlare(shown: Shown): Promise<number> {
  let glare = 0;
  for (const [hex, share] of await colorShares(shown)) {
    const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    if (channels.every((value) => value > BRIGHT)) glare += share;
  }
  return glare;
}
