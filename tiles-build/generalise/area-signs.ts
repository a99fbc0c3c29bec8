// Symbols of areas, such as the anchor of an anchorage: placed side by side if areas overlap, and
// fewer of the same symbol below the compilation scale. None touches the symbol of a danger or an
// aid of its chart, except arrows, which keep their place, and except marks of some days only. Only
// the symbol is hidden: the limits of its area remain, and queries still find the area.

import { LAST_VIEW_ZOOM } from '../../shared/chart/band-for-zoom.ts';
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

/** A symbol in a layout: the middle of its area in pixels, and an index of SIGN_PLACES. */
type Placed = readonly [x: number, y: number, place: number];

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
    const until = zoom >= this.#deepestZoom ? Number.POSITIVE_INFINITY : zoom + 1;
    const last = 2 ** (until - zoom);
    const firstOf = (seenFrom: number): number => 2 ** Math.max(0, Math.floor(seenFrom) - zoom);
    const taken = new PlaceGrid(SIGN_PIXELS);
    const placed: Placed[] = [];
    const [fixed, covered] = [new PlaceGrid(REACH_PIXELS), new PlaceGrid(REACH_PIXELS)];
    for (const { x, y, seenFrom, mayBeCovered } of this.#obstacles) {
      if (seenFrom >= until) continue;
      (mayBeCovered ? covered : fixed).add(x * perZoom, y * perZoom, firstOf(seenFrom));
    }
    const alike = ALIKE_PIXELS * this.#below.widerAt(zoom);
    const bySymbol = new Map<string, PlaceGrid>();
    const places = new Map<Drawable, SignPlace | undefined>();
    // Symbols that appear later give way to those already visible.
    const appearsAt = ({ seenFrom }: Sign): number => Math.ceil(Math.max(seenFrom, zoom));
    const ordered = this.#signs
      .filter(({ seenFrom }) => seenFrom < until)
      .sort((a, b) => appearsAt(a) - appearsAt(b));
    for (const sign of ordered) {
      const [x, y] = [sign.x * perZoom, sign.y * perZoom];
      const same = remembered(bySymbol, sign.symbol, () => new PlaceGrid(alike));
      if (isThinned && !sign.isTurned && same.hasNear(x, y)) {
        places.set(sign.drawable, undefined);
        continue;
      }
      const shown: Shown = [firstOf(sign.seenFrom), last];
      const clear = placesAwayFrom(fixed, x, y, shown, ALL_PLACES);
      const free = clear.filter(
        (i) => !taken.hasNear(x + SIGN_PLACES[i]![0], y + SIGN_PLACES[i]![1]),
      );
      const [best] = [
        ...placesAwayFrom(covered, x, y, shown, free.filter(isNearMiddle)),
        ...free,
        ...(isThinned ? [] : clear),
      ];
      const found = sign.isTurned
        ? { place: 0 }
        : best !== undefined
          ? { place: best }
          : zoom >= this.#deepestZoom
            ? laterPlace(fixed, placed, x, y, zoom, appearsAt(sign))
            : undefined;
      places.set(sign.drawable, found);
      if (found === undefined) continue;
      placed.push([x, y, found.place]);
      if (found.from !== undefined) continue;
      const [dx, dy] = SIGN_PLACES[found.place]!;
      taken.add(x + dx, y + dy);
      if (!sign.isDated) same.add(x, y);
    }
    return places;
  }
}

/** Places further away may be outside a small area. They are not used because of soundings. */
const isNearMiddle = (place: number): boolean => Math.abs(SIGN_PLACES[place]![0]) <= CLEAR_PIXELS;

const ALL_PLACES = [...SIGN_PLACES.keys()];

/** The first place that is free at a deeper zoom, and that zoom. */
function laterPlace(
  obstacles: PlaceGrid,
  signs: readonly Placed[],
  x: number,
  y: number,
  zoom: number,
  appearsAt: number,
): SignPlace | undefined {
  for (let from = appearsAt + 1; from <= LAST_VIEW_ZOOM; from++) {
    const factor = 2 ** (from - zoom);
    const shown: Shown = [factor, Number.POSITIVE_INFINITY];
    const place = placesAwayFrom(obstacles, x, y, shown, ALL_PLACES).find(
      (i) => !signs.some((other) => overlap([x, y, i], other, factor)),
    );
    if (place !== undefined) return { place, from };
  }
  return undefined;
}

/** Whether two symbols overlap when the chart is enlarged by a factor. */
const overlap = ([ax, ay, a]: Placed, [bx, by, b]: Placed, factor: number): boolean => {
  const [[adx, ady], [bdx, bdy]] = [SIGN_PLACES[a]!, SIGN_PLACES[b]!];
  return (
    Math.abs((ax - bx) * factor + adx - bdx) < SIGN_PIXELS &&
    Math.abs((ay - by) * factor + ady - bdy) < SIGN_PIXELS
  );
};

/** Factors by which the chart is enlarged from the zoom of a layout while a symbol is visible. */
type Shown = readonly [first: number, last: number];

/** The places at which a symbol touches none of these obstacles while it is visible. */
function placesAwayFrom(
  obstacles: PlaceGrid,
  x: number,
  y: number,
  [first, last]: Shown,
  places: readonly number[],
): readonly number[] {
  const near = obstacles.around(x, y);
  return places.filter((place) => {
    const [dx, dy] = SIGN_PLACES[place]!;
    return !near.some(([px, py, seen]) => {
      const [left, right] = factorsNear(px - x, dx);
      const [top, bottom] = factorsNear(py - y, dy);
      return Math.max(first, seen, left, top) < Math.min(last, right, bottom);
    });
  });
}

/**
 * The factors between which an obstacle touches a symbol along an axis. The obstacle moves away from
 * the middle of the area as the chart is enlarged; the symbol does not.
 */
function factorsNear(obstacle: number, symbol: number): readonly [number, number] {
  const [a, b] = [(symbol - CLEAR_PIXELS) / obstacle, (symbol + CLEAR_PIXELS) / obstacle];
  return [Math.min(a, b), Math.max(a, b)];
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

/** Pixels, and the factor by which the chart is enlarged when what is there becomes visible. */
type Position = readonly [x: number, y: number, seen: number];

/** Positions in a grid whose squares have the minimum distance as side. */
class PlaceGrid {
  readonly #side: number;
  readonly #squares = new Map<string, Position[]>();

  constructor(side: number) {
    this.#side = side;
  }

  add(x: number, y: number, seen = 1): void {
    const key = this.#key(x, y, 0, 0);
    pushTo(this.#squares, key, [x, y, seen]);
  }

  /** Whether a position is closer than the minimum distance both horizontally and vertically. */
  hasNear(x: number, y: number): boolean {
    return this.around(x, y).some(
      ([px, py]) => Math.abs(px - x) < this.#side && Math.abs(py - y) < this.#side,
    );
  }

  /** The positions in the nine squares around a position. */
  around(x: number, y: number): Position[] {
    return [-1, 0, 1].flatMap((dx) =>
      [-1, 0, 1].flatMap((dy) => this.#squares.get(this.#key(x, y, dx, dy)) ?? []),
    );
  }

  #key(x: number, y: number, dx: number, dy: number): string {
    return `${Math.floor(x / this.#side) + dx},${Math.floor(y / this.#side) + dy}`;
  }
}
