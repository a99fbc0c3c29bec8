// Which of two points goes before the other where there is no room for both. All orders are total, so
// that the same cell gives the same chart.

import type { Drawable } from '../portray/features/drawable.ts';

const numberOf = ({ properties }: Drawable, key: string, otherwise: number): number => {
  const value = properties[key];
  return typeof value === 'number' ? value : otherwise;
};

const byKey = (a: Drawable, b: Drawable): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/** Soundings: the shoalest first, drying heights before all. */
export function byShoalness(a: Drawable, b: Drawable): number {
  return a.thinBy! - b.thinBy! || byKey(a, b);
}

/** Dangers: the shoalest first (`dd`), among equals the one in the deepest water (`ud`). */
export function byDanger(a: Drawable, b: Drawable): number {
  return (
    numberOf(a, 'dd', -15) - numberOf(b, 'dd', -15) ||
    numberOf(b, 'ud', -100) - numberOf(a, 'ud', -100) ||
    byKey(a, b)
  );
}

/** What an aid of a class is worth to who finds a way by it; a light and its range come on top. */
const WORTH: Readonly<Record<string, number>> = {
  LITVES: 60,
  LITFLT: 55,
  BOYISD: 50,
  BCNISD: 50,
  BOYCAR: 45,
  BCNCAR: 45,
  BOYSAW: 40,
  BCNSAW: 40,
  BOYLAT: 38,
  BCNLAT: 38,
  BOYINB: 30,
  RTPBCN: 20,
  PILBOP: 15,
  BOYSPP: 10,
  BCNSPP: 10,
  DAYMAR: 8,
  FOGSIG: 8,
};
const OTHERS_WORTH = 5;
const MAJOR_LIGHT = 60;
const ANY_LIGHT = 15;

/** Aids that stand at one place: as much as the most telling of them, and a light adds to it. */
function worthOf(site: readonly Drawable[]): number {
  let mark = 0;
  let light = 0;
  for (const drawable of site) {
    if (drawable.layer === 'LIGHTS' || drawable.layer === 'LIGHTS_SECTOR') {
      const isMajor = drawable.properties['mj'] !== undefined;
      const range = numberOf(drawable, 'vn', 0);
      light = Math.max(light, (isMajor ? MAJOR_LIGHT : ANY_LIGHT) + range);
    } else mark = Math.max(mark, WORTH[drawable.layer] ?? OTHERS_WORTH);
  }
  return mark + light;
}

/** Aids by place, the most important first. */
export function byImportance(a: readonly Drawable[], b: readonly Drawable[]): number {
  return worthOf(b) - worthOf(a) || byKey(a[0]!, b[0]!);
}
