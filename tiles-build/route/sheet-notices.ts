// The notices of a sheet: everything on its ground that a path is warned about by name, in the
// order of the items. Only the square of zoom 8 contains them, so a path needs no finer square for
// them.

import type { Notice } from '../../shared/route/sea.ts';
import { cutBoxOf } from './cut-item.ts';
import type { RouteItem } from './item.ts';
import { cutDownTo, type Place } from './square-tree.ts';

/** @param place the sheet's square @returns notices, each cut near the square */
export function sheetNotices(place: Place, items: Iterable<RouteItem>): Notice[] {
  const notices: Notice[] = [];
  for (const item of items) {
    const { notice: kind, radius } = item.effect;
    if (kind === undefined) continue;
    const cut = cutDownTo(place, item);
    if (cut === undefined) continue;
    const paths = cut.isWhole ? [boxRing(place, radius)] : cut.paths;
    const { shape, feature, text = '' } = item;
    notices.push({ kind, shape, text, feature, radius, paths });
  }
  return notices;
}

function boxRing({ zoom, x, y }: Place, radius: number): number[] {
  const { left, right, top, bottom } = cutBoxOf(zoom, x, y, radius);
  return [left, top, right, top, right, bottom, left, bottom];
}
