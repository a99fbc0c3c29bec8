// Orders that decide which of two points is kept if there is space for one. All orders are total,
// so that the same cell always gives the same chart.

import type { Drawable } from '../portray/features/drawable.ts';

/** A point of a cell or of a tile. */
type Ranked = Pick<Drawable, 'layer' | 'properties' | 'key'>;

const numberOf = ({ properties }: Ranked, key: string, otherwise: number): number => {
  const value = properties[key];
  return typeof value === 'number' ? value : otherwise;
};

const byKey = (a: Ranked, b: Ranked): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/** Soundings: the shoalest first; drying heights come before all others. */
export function byShoalness(a: Drawable, b: Drawable): number {
  return a.thinBy! - b.thinBy! || byKey(a, b);
}

/** Dangers: the shoalest first (`dd`); of equals, the one in the deepest water (`ud`). */
export function byDanger(a: Ranked, b: Ranked): number {
  return (
    numberOf(a, 'dd', -15) - numberOf(b, 'dd', -15) ||
    numberOf(b, 'ud', -100) - numberOf(a, 'ud', -100) ||
    byKey(a, b)
  );
}

/** Value of each class of aids for navigation; a light adds its own value and its range. */
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

/** Value of the aids at one place: that of the most valuable one, plus that of a light. */
function worthOf(site: readonly Ranked[]): number {
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

/** Aids grouped by place, the most important first. */
export function byImportance(a: readonly Ranked[], b: readonly Ranked[]): number {
  return worthOf(b) - worthOf(a) || byKey(a[0]!, b[0]!);
}

/** Structures of one class: conspicuous ones first, then the highest, then those with a name. */
export function byProminence(a: Ranked, b: Ranked): number {
  const named = ({ properties }: Ranked) => (properties['nm'] === undefined ? 0 : 1);
  return (
    numberOf(b, 'cv', 0) - numberOf(a, 'cv', 0) ||
    numberOf(b, 'el', 0) - numberOf(a, 'el', 0) ||
    named(b) - named(a) ||
    byKey(a, b)
  );
}
