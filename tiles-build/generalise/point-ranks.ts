// The soundings, dangers, aids to navigation and structures of a cell that are shown at the zooms
// below its compilation scale, and the points that represent the hidden ones.

import { MAX_VECTOR_ZOOM } from '../../shared/chart/band-for-zoom.ts';
import { FIRST_FADED_ZOOM } from '../../shared/chart/scale-zoom.ts';
import { SOURCE_LAYERS } from '../../shared/chart/tile-schema.ts';
import { pushTo } from '../../shared/geo/map-entries.ts';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import type { Drawable } from '../portray/features/drawable.ts';
import { AIDS, type BelowScale, belowScale, DANGERS } from './below-scale.ts';
import { byDanger, byImportance, byProminence, byShoalness } from './importance.ts';
import {
  isShownAt,
  type Rankable,
  representativesAt,
  type SpacedRanks,
  type Spacing,
  spacedRanks,
} from './spaced-ranks.ts';

/**
 * Maximum distance in pixels from a hidden sounding or danger to a visible one that is at least as
 * shoal: 24, minus the rounding of positions in tiles.
 */
const REACH = 23.7;
/**
 * A number needs the width of two digits; across a contour, both sides remain if digits do not
 * touch.
 */
const SOUNDING_SPACING: Spacing = { sameKind: REACH, otherKind: 15, reach: REACH };
/**
 * About the width of a wreck's dotted oval. Less in water of different depth, because a danger that
 * represents both would be isolated for safety contours for which neither is.
 */
const DANGER_SPACING: Spacing = { sameKind: REACH, otherKind: 9, reach: REACH };
/** The symbol of a buoy: pairs along a channel remain as long as they can be distinguished. */
const AID_SPACING: Spacing = { sameKind: 14, otherKind: 14 };
/** Piles, platforms, chimneys, point islets: the width of their symbols. */
const STRUCTURE_SPACING: Spacing = { sameKind: 16, otherKind: 16 };

/** Each class is ranked separately, because a chimney does not represent a pile. */
const STRUCTURES: readonly string[] = [
  'LNDARE',
  ...SOURCE_LAYERS.filter(({ group }) => group === 'structures').map(({ id }) => id),
];
/** They apply to a wide area, and a few of them on the screen are enough. */
const NOTES: readonly string[] = ['MAGVAR', 'LOCMAG', 'CURENT'];
const NOTE_SPACING: Spacing = { sameKind: 96, otherKind: 96 };
/** Marks the position of the object at its place as doubtful. */
const COMPANION = 'LOWACC';
/** Fraction of a zoom after which a sounding that is shown at the next zoom begins to appear. */
const FADES_FROM = 0.5;

type Properties = Drawable['properties'];

/** Drawables at one place, which are shown and hidden together. */
interface Site {
  readonly drawables: readonly Drawable[];
  readonly point: Rankable;
}

interface Group {
  /** `middles` are the centres of dangerous areas and lines that are drawn but have no symbols. */
  readonly kind: 'soundings' | 'dangers' | 'middles' | 'aids' | 'structures';
  readonly spacing: Spacing;
  readonly sites: readonly Site[];
  readonly points: readonly Rankable[];
  readonly ranks: SpacedRanks;
}

interface Place {
  readonly group: Group;
  readonly index: number;
}

export class PointRanks {
  readonly #below: BelowScale;
  readonly #places = new Map<Drawable, Place>();
  readonly #companions = new Map<Drawable, readonly Place[]>();
  readonly #representatives = new Map<Group, { zoom: number; changed: Map<number, Properties> }>();

  /**
   * @param drawables of one owner, without points that it does not show
   * @param scaleZoom zoom of the compilation scale, with a fraction; from it on, everything that
   *   SCAMIN allows is shown
   */
  constructor(drawables: readonly Drawable[], scaleZoom: number) {
    this.#below = belowScale(scaleZoom);
    const points = drawables.filter(({ geometry }) => geometry.type === 'point');
    const soundings = points.filter(({ thinBy }) => thinBy !== undefined);
    const dangers = points.filter(({ layer }) => DANGERS.has(layer));
    const aids = points.filter(({ layer }) => AIDS.has(layer));
    const alone = (drawable: Drawable) => [drawable];
    this.#add('soundings', SOUNDING_SPACING, soundings.sort(byShoalness).map(alone));
    // Most centres of dangerous areas have no symbol, so they cannot represent a danger that has one.
    const [symbols, middles] = [true, false].map((has) =>
      dangers.filter(({ properties }) => (properties['sy'] !== undefined) === has),
    );
    this.#add('dangers', DANGER_SPACING, symbols!.sort(byDanger).map(alone));
    this.#add('middles', DANGER_SPACING, middles!.sort(byDanger).map(alone));
    this.#add('aids', AID_SPACING, atOnePlace(aids).sort(byImportance));
    for (const layer of [...STRUCTURES, ...NOTES]) {
      const spacing = NOTES.includes(layer) ? NOTE_SPACING : STRUCTURE_SPACING;
      const found = points.filter((drawable) => drawable.layer === layer);
      this.#add('structures', spacing, found.sort(byProminence).map(alone));
    }

    const hosts = new Map<string, Place[]>();
    for (const [drawable, place] of this.#places) {
      if (drawable.thinBy !== undefined) continue;
      const key = placeKey(drawable);
      pushTo(hosts, key, place);
    }
    for (const drawable of points) {
      const found = drawable.layer === COMPANION ? hosts.get(placeKey(drawable)) : undefined;
      if (found !== undefined) this.#companions.set(drawable, found);
    }
  }

  /**
   * Whether a danger is drawn at a zoom although SCAMIN hides it there, because no other danger
   * that is at least as shoal is near.
   */
  isLastSign(drawable: Drawable, zoom: number): boolean {
    const place = this.#places.get(drawable);
    return (
      place?.group.kind === 'dangers' &&
      Math.floor(drawable.floor?.zoom ?? 0) <= zoom &&
      Number(drawable.properties['mz'] ?? 0) > zoom &&
      isShownAt(place.group.ranks, place.index, zoom)
    );
  }

  /**
   * The properties of a drawable at a zoom at which SCAMIN shows it or it is the last sign of a
   * danger; `undefined` if it is hidden. A point that represents others has their number (`n`,
   * including itself) and is at least as dangerous as each of them for any safety contour. If the
   * compilation scale lies within the zoom, hidden points appear at that scale.
   */
  at(drawable: Drawable, zoom: number): Properties | undefined {
    const properties = this.isLastSign(drawable, zoom)
      ? withoutScamin(drawable)
      : drawable.properties;
    if (zoom > this.#below.lastZoom) return properties;
    const hosts = this.#companions.get(drawable);
    if (hosts !== undefined) {
      const isShown = hosts.some(({ group, index }) => isShownAt(group.ranks, index, zoom));
      return isShown ? properties : this.#atScale(properties, zoom);
    }
    const place = this.#places.get(drawable);
    if (place === undefined) return properties;
    const { group, index } = place;
    if (group.kind === 'soundings') return this.#soundingAt(place, properties, zoom);
    if (!isShownAt(group.ranks, index, zoom)) {
      const later = this.#atScale(properties, zoom);
      // Isolated dangers ignore SCAMIN but must not appear before there is space.
      return later !== undefined && isDangerous(group)
        ? { ...later, rz: this.#below.scaleZoom }
        : later;
    }
    return { ...properties, ...this.#changedAt(group, zoom).get(index) };
  }

  /** The zoom from which a drawable is visible, with a fraction. */
  visibleFrom(drawable: Drawable): number {
    const place = this.#places.get(drawable);
    const scamin = Number(drawable.properties['mz'] ?? 0);
    // Isolated dangers, and the last signs of dangers, ignore SCAMIN.
    const mz = place?.group.kind === 'dangers' ? (drawable.floor?.zoom ?? 0) : scamin;
    if (place === undefined) return mz;
    let zoom = Math.floor(mz);
    while (!isShownAt(place.group.ranks, place.index, zoom)) zoom++;
    // Other dangers appear at the compilation scale, or later by SCAMIN.
    return Math.max(mz, Math.min(zoom, Math.max(this.#below.scaleZoom, scamin)));
  }

  /** A point hidden at the zoom that contains the compilation scale: it appears at that scale. */
  #atScale(properties: Properties, zoom: number): Properties | undefined {
    if (zoom + 1 <= this.#below.scaleZoom || zoom < FIRST_FADED_ZOOM) return undefined;
    return { ...properties, mz: Math.max(Number(properties['mz'] ?? 0), this.#below.scaleZoom) };
  }

  /** Soundings shown at the next zoom are already in the tile, to appear half-way. */
  #soundingAt({ group, index }: Place, properties: Properties, zoom: number) {
    if (isShownAt(group.ranks, index, zoom)) return properties;
    if (zoom === this.#below.lastZoom) {
      const later = this.#atScale(properties, zoom);
      if (later !== undefined) return later;
    }
    if (zoom < FIRST_FADED_ZOOM || !isShownAt(group.ranks, index, zoom + 1)) return undefined;
    return { ...properties, mz: Math.max(Number(properties['mz'] ?? 0), zoom + FADES_FROM) };
  }

  /** Changed properties of points that represent others at a zoom, by index. */
  #changedAt(group: Group, zoom: number): ReadonlyMap<number, Properties> {
    const known = this.#representatives.get(group);
    if (known?.zoom === zoom) return known.changed;
    const members = new Map<number, number[]>();
    representativesAt(group.points, group.ranks, group.spacing, zoom).forEach((keeper, index) => {
      if (keeper === undefined) return;
      const kept = members.get(keeper);
      if (kept === undefined) members.set(keeper, [keeper, index]);
      else kept.push(index);
    });
    const changed = new Map<number, Properties>();
    for (const [keeper, indices] of members) {
      const n = indices.length;
      const all = indices.map((index) => group.sites[index]!.drawables[0]!.properties);
      changed.set(keeper, isDangerous(group) ? { n, ud: deepestAround(all) } : { n });
    }
    this.#representatives.set(group, { zoom, changed });
    return changed;
  }

  #add(kind: Group['kind'], least: Spacing, sites: readonly (readonly Drawable[])[]): void {
    if (sites.length === 0) return;
    const { lastZoom, widerAt } = this.#below;
    const ranked = sites.map((drawables) => ({
      drawables,
      point: rankable(kind, drawables, lastZoom + 1),
    }));
    const points = ranked.map(({ point }) => point);
    // Kinds with a reach must not be represented by something further away.
    const spacing = least.reach === undefined ? { ...least, widerAt } : least;
    // Not as arguments of one call, because there may be hundreds of thousands.
    const lastHidden = points.reduce(
      (most, { alwaysFrom = 0 }) => Math.max(most, alwaysFrom - 1),
      lastZoom,
    );
    const ranks = spacedRanks(points, spacing, Math.min(lastHidden, MAX_VECTOR_ZOOM));
    const group: Group = { kind, spacing, sites: ranked, points, ranks };
    ranked.forEach(({ drawables }, index) => {
      for (const drawable of drawables) this.#places.set(drawable, { group, index });
    });
  }
}

const isDangerous = ({ kind }: Group): boolean => kind === 'dangers' || kind === 'middles';

/**
 * The `ud` with which one danger is isolated for every safety contour that isolates any of them.
 */
const deepestAround = (members: readonly Properties[]): number =>
  members.reduce((most, { ud }) => Math.max(most, Number(ud)), Number.NEGATIVE_INFINITY);

function withoutScamin({ properties, floor }: Drawable): Properties {
  const { mz: _, ...rest } = properties;
  return floor === undefined ? rest : { ...rest, mz: floor.zoom };
}

/** @param scaleFrom first whole zoom at which everything that SCAMIN allows is shown */
function rankable(
  kind: Group['kind'],
  drawables: readonly Drawable[],
  scaleFrom: number,
): Rankable {
  const { geometry, thinBy, thinWith, properties } = drawables[0]!;
  if (geometry.type !== 'point') throw new Error('Only points are ranked.');
  const place = { x: mercatorX(geometry.longitude), y: mercatorY(geometry.latitude) };
  const first = Math.min(...drawables.map(({ minZoom }) => minZoom));
  const mz = Math.min(...drawables.map((drawable) => Number(drawable.properties['mz'] ?? 0)));
  // A dated object is not drawn on some days; on those it must not have hidden others.
  const isDated = drawables.some((drawable) =>
    ['ds', 'de'].some((key) => key in drawable.properties),
  );
  const visibleFrom = (zoom: number) => (isDated ? Number.POSITIVE_INFINITY : zoom);
  switch (kind) {
    case 'dangers': {
      // SCAMIN hides no danger that nothing else represents: see isLastSign.
      const alwaysFrom = Math.max(scaleFrom, Math.ceil(mz));
      const floor = drawables[0]!.floor?.zoom ?? 0;
      const shown = { first: Math.floor(floor), visibleFrom: visibleFrom(floor) };
      return { ...place, ...shown, alwaysFrom, kind: Number(properties['ud']) };
    }
    case 'middles': {
      const from = visibleFrom(Math.max(first, drawables[0]!.floor?.zoom ?? 0));
      return { ...place, first, visibleFrom: from, kind: Number(properties['ud']) };
    }
    default: {
      const width = thinBy === undefined ? {} : { width: digitsWidth(thinBy) };
      return { ...place, first, visibleFrom: visibleFrom(mz), kind: thinWith ?? 0, ...width };
    }
  }
}

const DIGIT_PIXELS = 6.5;
const SMALL_DIGIT_PIXELS = 4.5;
/** Depths below this many metres are written with decimals (S-52 SNDFRM). */
const WHOLE_FROM = 31;
const FEET_A_METER = 1 / 0.3048;

/** Width in pixels of a depth on the screen, in metres or feet, whichever is longer. */
function digitsWidth(meters: number): number {
  const digitsOf = (value: number) => String(Math.floor(Math.abs(value))).length;
  const inMeters =
    DIGIT_PIXELS * digitsOf(meters) + (Math.abs(meters) < WHOLE_FROM ? SMALL_DIGIT_PIXELS : 0);
  return Math.max(inMeters, DIGIT_PIXELS * digitsOf(meters * FEET_A_METER));
}

/** Groups aids by place: a buoy with its light, topmark and fog signal is one group. */
function atOnePlace(aids: readonly Drawable[]): (readonly Drawable[])[] {
  const places = new Map<string, Drawable[]>();
  for (const drawable of aids) {
    const key = placeKey(drawable);
    pushTo(places, key, drawable);
  }
  return [...places.values()];
}

function placeKey({ geometry }: Drawable): string {
  return geometry.type === 'point' ? `${geometry.longitude},${geometry.latitude}` : '';
}
