// Symbols of areas, such as the anchor of an anchorage: placed side by side if areas overlap, and
// fewer of the same symbol below the compilation scale. None touches the symbol of a danger or an
// aid. Only the symbol is hidden: the limits of its area remain, and queries still find the area.

import { SIGN_PLACES } from '../../shared/chart/sign-places.ts';
import { pushTo, remembered } from '../../shared/geo/map-entries.ts';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import type { Drawable } from '../portray/features/drawable.ts';
import { AIDS, type BelowScale, belowScale, DANGERS } from './below-scale.ts';

/** Symbols are 18 to 22 pixels wide and high; closer ones would overlap. */
const SIGN_PIXELS = 22;
/** Distance between equal symbols at the last zoom below the compilation scale. */
const ALIKE_PIXELS = 44;
const TILE_PIXELS = 512;

/** Half the width of a symbol of an area plus half that of a danger, an aid or a sounding. */
const CLEAR_PIXELS = 24;
/** Maximum distance of an obstacle that touches a symbol at one of its places. */
const REACH_PIXELS = CLEAR_PIXELS + Math.max(...SIGN_PLACES.flat());
/** Factors by which obstacles move away from the middle of the area before the next whole zoom. */
const WITHIN_ZOOM = [1, 1.4, 1.9];

/** By restriction or hazard to a vessel, the most important first; symbols not listed come last. */
const ORDER = 'ENTRES PRCARE TSS DWRT TWRT ACHRES FSHRES CTYARE CTNARE RSRDEF ACHARE'.split(' ');

type Properties = Drawable['properties'];

interface Sign {
  readonly drawable: Drawable;
  readonly symbol: string;
  /** Place in the Mercator square. */
  readonly x: number;
  readonly y: number;
  /** Zoom from which it is visible, with a fraction. */
  readonly seenFrom: number;
  /** Not drawn on some days; on those days it must not have hidden other symbols. */
  readonly isDated: boolean;
  /** Rotated to a bearing; it keeps its place. */
  readonly isTurned: boolean;
}

/** What symbols of areas keep away from. */
interface Obstacle {
  /** Place in the Mercator square. */
  readonly x: number;
  readonly y: number;
  readonly seenFrom: number;
  /** A sounding, or not drawn on some days: a symbol covers it if no other place is free. */
  readonly mayBeCovered: boolean;
}

interface SignPlace {
  /** An index of SIGN_PLACES. */
  readonly place: number;
  /** Zoom from which the place is free, if it is not free at the zoom of the layout. */
  readonly from?: number;
}

/** The place of each symbol; `undefined` if it is hidden. */
type Layout = ReadonlyMap<Drawable, SignPlace | undefined>;

export class AreaSigns {
  readonly #signs: readonly Sign[];
  readonly #obstacles: readonly Obstacle[];
  readonly #below: BelowScale;
  readonly #deepestZoom: number;
  #layout: { readonly zoom: number; readonly places: Layout } | undefined;

  /**
   * @param drawables points of one owner, without those that it does not show
   * @param scaleZoom zoom of the compilation scale, with a fraction
   * @param deepestZoom last zoom of the owner's tiles, which are also shown at all deeper zooms
   * @param visibleFrom zoom from which a point is visible
   */
  constructor(
    drawables: readonly Drawable[],
    scaleZoom: number,
    deepestZoom: number,
    visibleFrom: (drawable: Drawable) => number,
  ) {
    this.#deepestZoom = deepestZoom;
    this.#signs = drawables.flatMap(signOf).sort(byClaim);
    this.#obstacles = this.#signs.length === 0 ? [] : obstaclesOf(drawables, visibleFrom);
    this.#below = belowScale(scaleZoom);
  }

  /**
   * Properties with the place of the symbol (`sl`) or without a symbol; `undefined` if nothing
   * remains. A symbol without a text may appear later (`mz`).
   */
  at(drawable: Drawable, properties: Properties, zoom: number): Properties | undefined {
    if (this.#layout?.zoom !== zoom) this.#layout = { zoom, places: this.#layOut(zoom) };
    const { places } = this.#layout;
    if (!places.has(drawable)) return properties;
    const found = places.get(drawable);
    const { sy: _hidden, ...rest } = properties;
    const hasText = 'nm' in rest || 'tx' in rest;
    if (found === undefined || (found.from !== undefined && hasText))
      return hasText ? rest : undefined;
    const { place, from } = found;
    return { ...properties, ...(place !== 0 && { sl: place }), ...(from && { mz: from }) };
  }

  #layOut(zoom: number): Layout {
    const isThinned = zoom <= this.#below.lastZoom;
    const perZoom = TILE_PIXELS * 2 ** zoom;
    const taken = new PlaceGrid(SIGN_PIXELS);
    const seenObstacles = this.#obstacles.filter(({ seenFrom }) => seenFrom < zoom + 1);
    const [fixed, covered] = [new PlaceGrid(REACH_PIXELS), new PlaceGrid(REACH_PIXELS)];
    for (const { x, y, mayBeCovered } of seenObstacles)
      (mayBeCovered ? covered : fixed).add(x * perZoom, y * perZoom);
    const alike = ALIKE_PIXELS * this.#below.widerAt(zoom);
    const bySymbol = new Map<string, PlaceGrid>();
    const places = new Map<Drawable, SignPlace | undefined>();
    const seen = this.#signs.filter(({ seenFrom }) => Math.floor(seenFrom) <= zoom);
    // Symbols that appear within the zoom give way to those already visible.
    const ordered = [
      ...seen.filter(({ seenFrom }) => seenFrom <= zoom),
      ...seen.filter(({ seenFrom }) => seenFrom > zoom),
    ];
    for (const sign of ordered) {
      const [x, y] = [sign.x * perZoom, sign.y * perZoom];
      const same = remembered(bySymbol, sign.symbol, () => new PlaceGrid(alike));
      if (isThinned && !sign.isTurned && same.hasNear(x, y)) {
        places.set(sign.drawable, undefined);
        continue;
      }
      const clear = placesAwayFrom(fixed, x, y, ALL_PLACES);
      const free = clear.filter(
        (i) => !taken.hasNear(x + SIGN_PLACES[i]![0], y + SIGN_PLACES[i]![1]),
      );
      const [best] = [
        ...placesAwayFrom(covered, x, y, free.filter(isNearMiddle)),
        ...free,
        ...(isThinned ? [] : clear),
      ];
      const place = sign.isTurned ? 0 : best;
      if (place === undefined) {
        const isLast = zoom === this.#deepestZoom;
        places.set(sign.drawable, isLast ? laterPlace(fixed, x, y, zoom) : undefined);
        continue;
      }
      places.set(sign.drawable, { place });
      const [dx, dy] = SIGN_PLACES[place]!;
      taken.add(x + dx, y + dy);
      if (!sign.isDated) same.add(x, y);
    }
    return places;
  }
}

/** Places further away may be outside a small area. They are not used because of soundings. */
const isNearMiddle = (place: number): boolean => Math.abs(SIGN_PLACES[place]![0]) <= CLEAR_PIXELS;

const ALL_PLACES = [...SIGN_PLACES.keys()];

/** Zooms after the deepest one at which a place is sought; then obstacles are 16 times as far away. */
const LATER_ZOOMS = [1, 2, 3, 4];

/** The first place that is free at a deeper zoom, and that zoom. */
function laterPlace(obstacles: PlaceGrid, x: number, y: number, zoom: number) {
  for (const more of LATER_ZOOMS) {
    const [place] = placesAwayFrom(obstacles, x, y, ALL_PLACES, 2 ** more);
    if (place !== undefined) return { place, from: zoom + more };
  }
  return undefined;
}

/**
 * The places at which a symbol touches none of these obstacles until the next zoom.
 * @param enlarged factor by which the obstacles are further away than at the zoom of `x` and `y`
 */
function placesAwayFrom(
  obstacles: PlaceGrid,
  x: number,
  y: number,
  places: readonly number[],
  enlarged = 1,
): readonly number[] {
  const near = obstacles
    .around(x, y)
    .map(([px, py]) => [(px - x) * enlarged, (py - y) * enlarged] as const);
  return places.filter((place) => {
    const [dx, dy] = SIGN_PLACES[place]!;
    return !near.some(([px, py]) =>
      WITHIN_ZOOM.some(
        (times) =>
          Math.abs(px * times - dx) < CLEAR_PIXELS && Math.abs(py * times - dy) < CLEAR_PIXELS,
      ),
    );
  });
}

const obstaclesOf = (
  drawables: readonly Drawable[],
  visibleFrom: (drawable: Drawable) => number,
): Obstacle[] =>
  drawables.flatMap((drawable) => {
    const { geometry, layer, properties } = drawable;
    const isSounding = layer === 'SOUNDG';
    const hasSymbol = (AIDS.has(layer) || DANGERS.has(layer)) && properties['sy'] !== undefined;
    if (geometry.type !== 'point' || !(isSounding || hasSymbol)) return [];
    const { longitude, latitude } = geometry;
    const seenFrom = visibleFrom(drawable);
    const mayBeCovered = isSounding || isDated(properties);
    return [{ x: mercatorX(longitude), y: mercatorY(latitude), seenFrom, mayBeCovered }];
  });

const isDated = (properties: Properties): boolean =>
  'ds' in properties || 'de' in properties || 'ps' in properties;

function signOf(drawable: Drawable): Sign[] {
  const { geometry, layer, properties } = drawable;
  const { sy } = properties;
  if (layer !== 'AREASYM' || typeof sy !== 'string' || geometry.type !== 'point') return [];
  return [
    {
      drawable,
      symbol: sy,
      x: mercatorX(geometry.longitude),
      y: mercatorY(geometry.latitude),
      seenFrom: Number(properties['mz'] ?? 0),
      isDated: isDated(properties),
      isTurned: 'or' in properties,
    },
  ];
}

const orderOf = ({ symbol, isTurned }: Sign): number => {
  if (isTurned) return -1;
  const found = ORDER.findIndex((start) => symbol.startsWith(start));
  return found < 0 ? ORDER.length : found;
};

function byClaim(a: Sign, b: Sign): number {
  const [first, second] = [a.drawable.key, b.drawable.key];
  return orderOf(a) - orderOf(b) || (first < second ? -1 : first > second ? 1 : 0);
}

/** Positions in a grid whose squares have the minimum distance as side. */
class PlaceGrid {
  readonly #side: number;
  readonly #squares = new Map<string, (readonly [number, number])[]>();

  constructor(side: number) {
    this.#side = side;
  }

  add(x: number, y: number): void {
    const key = this.#key(x, y, 0, 0);
    pushTo(this.#squares, key, [x, y]);
  }

  /** Whether a position is closer than the minimum distance both horizontally and vertically. */
  hasNear(x: number, y: number): boolean {
    return this.around(x, y).some(
      ([px, py]) => Math.abs(px - x) < this.#side && Math.abs(py - y) < this.#side,
    );
  }

  /** The positions in the nine squares around a position. */
  around(x: number, y: number): (readonly [number, number])[] {
    return [-1, 0, 1].flatMap((dx) =>
      [-1, 0, 1].flatMap((dy) => this.#squares.get(this.#key(x, y, dx, dy)) ?? []),
    );
  }

  #key(x: number, y: number, dx: number, dy: number): string {
    return `${Math.floor(x / this.#side) + dx},${Math.floor(y / this.#side) + dy}`;
  }
}
