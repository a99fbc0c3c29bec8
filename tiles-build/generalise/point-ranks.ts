// What of a cell's soundings, dangers, aids to navigation and structures is shown at the zooms below
// the scale it was compiled for, and what stands there for the rest.

import { MAX_VECTOR_ZOOM } from '../../shared/chart/band-for-zoom.ts';
import { FIRST_FADED_ZOOM } from '../../shared/chart/scale-zoom.ts';
import { SOURCE_LAYERS } from '../../shared/chart/tile-schema.ts';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import type { Drawable } from '../portray/features/drawable.ts';
import { type BelowScale, belowScale } from './below-scale.ts';
import { byDanger, byImportance, byProminence, byShoalness } from './importance.ts';
import {
  isShownAt,
  type Rankable,
  type SpacedRanks,
  type Spacing,
  spacedRanks,
  standInsAt,
} from './spaced-ranks.ts';

/**
 * The most pixels from a sounding or danger that is hidden to one that is seen and at least as shoal.
 * 24, less what places in tiles are rounded by.
 */
const REACH = 23.7;
/** A number needs two digits' width; across a contour both sides keep one if digits do not touch. */
const SOUNDING_SPACING: Spacing = { alike: REACH, different: 15, reach: REACH };
/**
 * About the width of a wreck's dotted oval; nearer in water of different depth, as one that stood for
 * both would be an isolated danger for safety contours that make neither one.
 */
const DANGER_SPACING: Spacing = { alike: REACH, different: 9, reach: REACH };
/** A buoy's symbol: pairs along a channel stay as long as they can be told apart. */
const AID_SPACING: Spacing = { alike: 14, different: 14 };
/** Piles, platforms, chimneys, islets that are points: their symbols beside one another. */
const STRUCTURE_SPACING: Spacing = { alike: 16, different: 16 };

const DANGERS: ReadonlySet<string> = new Set(['UWTROC', 'OBSTRN', 'WRECKS']);
const AIDS: ReadonlySet<string> = new Set(
  SOURCE_LAYERS.filter(({ group }) => group === 'aids').map(({ id }) => id),
);
/** Each class by itself, as a chimney does not stand for a pile. */
const STRUCTURES: readonly string[] = [
  'LNDARE',
  ...SOURCE_LAYERS.filter(({ group }) => group === 'structures').map(({ id }) => id),
];
/** Says of what stands at its place that the place is doubtful. */
const COMPANION = 'LOWACC';
/** Part of a zoom after which a sounding that has room from the next on begins to show. */
const FADES_FROM = 0.5;

type Properties = Drawable['properties'];

/** Drawables that show and hide together, as they stand at one place. */
interface Site {
  readonly drawables: readonly Drawable[];
  readonly point: Rankable;
}

interface Group {
  /** Middles are those of dangerous areas: the areas have outlines, and their middles no symbols. */
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
  readonly #standIns = new Map<Group, { zoom: number; changed: Map<number, Properties> }>();

  /**
   * @param drawables of one owner, without points that it does not show
   * @param scaleZoom zoom of the compilation scale, from which everything is shown that SCAMIN lets
   *   show; its fraction counts
   */
  constructor(drawables: readonly Drawable[], scaleZoom: number) {
    this.#below = belowScale(scaleZoom);
    const points = drawables.filter(({ geometry }) => geometry.type === 'point');
    const soundings = points.filter(({ thinBy }) => thinBy !== undefined);
    const dangers = points.filter(({ layer }) => DANGERS.has(layer));
    const aids = points.filter(({ layer }) => AIDS.has(layer));
    const alone = (drawable: Drawable) => [drawable];
    this.#add('soundings', SOUNDING_SPACING, soundings.sort(byShoalness).map(alone));
    // The middle of a dangerous area has no symbol of its own and cannot stand for what has one.
    const [symbols, middles] = [true, false].map((has) =>
      dangers.filter(({ properties }) => (properties['sy'] !== undefined) === has),
    );
    this.#add('dangers', DANGER_SPACING, symbols!.sort(byDanger).map(alone));
    this.#add('middles', DANGER_SPACING, middles!.sort(byDanger).map(alone));
    this.#add('aids', AID_SPACING, atOnePlace(aids).sort(byImportance));
    for (const layer of STRUCTURES) {
      const found = points.filter((drawable) => drawable.layer === layer);
      this.#add('structures', STRUCTURE_SPACING, found.sort(byProminence).map(alone));
    }

    const hosts = new Map<string, Place[]>();
    for (const [drawable, place] of this.#places) {
      if (drawable.thinBy !== undefined) continue;
      const key = placeKey(drawable);
      const there = hosts.get(key);
      if (there === undefined) hosts.set(key, [place]);
      else there.push(place);
    }
    for (const drawable of points) {
      const found = drawable.layer === COMPANION ? hosts.get(placeKey(drawable)) : undefined;
      if (found !== undefined) this.#companions.set(drawable, found);
    }
  }

  /**
   * Whether a danger has its symbol at a zoom although SCAMIN hides it there: no other that is at least
   * as shoal stands near it.
   */
  isLastSign(drawable: Drawable, zoom: number): boolean {
    const place = this.#places.get(drawable);
    return (
      place?.group.kind === 'dangers' &&
      Number(drawable.properties['mz'] ?? 0) > zoom &&
      isShownAt(place.group.ranks, place.index, zoom)
    );
  }

  /**
   * The properties with which a drawable is shown at a zoom at which SCAMIN lets it, or at which it is
   * the last sign of danger; undefined where it gives way. One that stands for others says for how many
   * (`n`, itself included), and is at least as dangerous as each of them whatever the safety contour.
   * Where the compilation scale lies within the zoom, those that give way come in at that scale.
   */
  at(drawable: Drawable, zoom: number): Properties | undefined {
    const properties = this.isLastSign(drawable, zoom)
      ? withoutScamin(drawable.properties)
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
      // Isolated dangers do not wait for SCAMIN, but for their room.
      return later !== undefined && isDangerous(group)
        ? { ...later, rz: this.#below.scaleZoom }
        : later;
    }
    return { ...properties, ...this.#changedAt(group, zoom).get(index) };
  }

  /** What gives way at a zoom in which the compilation scale lies: there to come in at that scale. */
  #atScale(properties: Properties, zoom: number): Properties | undefined {
    if (zoom + 1 <= this.#below.scaleZoom || zoom < FIRST_FADED_ZOOM) return undefined;
    return { ...properties, mz: Math.max(Number(properties['mz'] ?? 0), this.#below.scaleZoom) };
  }

  /** Soundings with room at the next zoom are there before, to fade in on the way. */
  #soundingAt({ group, index }: Place, properties: Properties, zoom: number) {
    if (isShownAt(group.ranks, index, zoom)) return properties;
    if (zoom === this.#below.lastZoom) {
      const later = this.#atScale(properties, zoom);
      if (later !== undefined) return later;
    }
    if (zoom < FIRST_FADED_ZOOM || !isShownAt(group.ranks, index, zoom + 1)) return undefined;
    return { ...properties, mz: Math.max(Number(properties['mz'] ?? 0), zoom + FADES_FROM) };
  }

  /** What those who stand for others say at a zoom, by their index. */
  #changedAt(group: Group, zoom: number): ReadonlyMap<number, Properties> {
    const known = this.#standIns.get(group);
    if (known?.zoom === zoom) return known.changed;
    const members = new Map<number, number[]>();
    standInsAt(group.points, group.ranks, group.spacing, zoom).forEach((keeper, index) => {
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
    this.#standIns.set(group, { zoom, changed });
    return changed;
  }

  #add(kind: Group['kind'], least: Spacing, sites: readonly (readonly Drawable[])[]): void {
    if (sites.length === 0) return;
    const { lastZoom, widerAt } = this.#below;
    const made = sites.map((drawables) => ({
      drawables,
      point: rankable(kind, drawables, lastZoom + 1),
    }));
    const points = made.map(({ point }) => point);
    // What must not go without a sign near it does not give way to one further off.
    const spacing = least.reach === undefined ? { ...least, widerAt } : least;
    const lastHidden = Math.max(...points.map(({ free = 0 }) => free - 1), lastZoom);
    const ranks = spacedRanks(points, spacing, Math.min(lastHidden, MAX_VECTOR_ZOOM));
    const group: Group = { kind, spacing, sites: made, points, ranks };
    made.forEach(({ drawables }, index) => {
      for (const drawable of drawables) this.#places.set(drawable, { group, index });
    });
  }
}

const isDangerous = ({ kind }: Group): boolean => kind === 'dangers' || kind === 'middles';

/** What makes one an isolated danger wherever any of them is one. */
const deepestAround = (members: readonly Properties[]): number =>
  Math.max(...members.map((properties) => Number(properties['ud'])));

function withoutScamin({ mz: _, ...rest }: Properties): Properties {
  return rest;
}

/** @param scaleFrom first whole zoom at which all are shown that SCAMIN lets show */
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
  // On some days a dated object is not drawn at all: then it must have kept none away.
  const isDated = drawables.some((drawable) =>
    ['ds', 'de'].some((key) => key in drawable.properties),
  );
  const solid = (zoom: number) => (isDated ? Number.POSITIVE_INFINITY : zoom);
  switch (kind) {
    case 'dangers': {
      // SCAMIN hides none that nothing stands for: see isLastSign.
      const free = Math.max(scaleFrom, Math.ceil(mz));
      return { ...place, first: 0, free, solid: solid(0), kind: Number(properties['ud']) };
    }
    case 'middles':
      return { ...place, first, solid: solid(first), kind: Number(properties['ud']) };
    default: {
      const width = thinBy === undefined ? {} : { width: digitsWidth(thinBy) };
      return { ...place, first, solid: solid(mz), kind: thinWith ?? 0, ...width };
    }
  }
}

const DIGIT_PIXELS = 6.5;
const SMALL_DIGIT_PIXELS = 4.5;
/** Depths below which decimals are written (S-52 SNDFRM), in metres. */
const WHOLE_FROM = 31;
const FEET_A_METER = 1 / 0.3048;

/** Pixels that a depth takes on the screen, in metres or feet, whichever is longer. */
function digitsWidth(meters: number): number {
  const digitsOf = (value: number) => String(Math.floor(Math.abs(value))).length;
  const inMeters =
    DIGIT_PIXELS * digitsOf(meters) + (Math.abs(meters) < WHOLE_FROM ? SMALL_DIGIT_PIXELS : 0);
  return Math.max(inMeters, DIGIT_PIXELS * digitsOf(meters * FEET_A_METER));
}

/** Aids by the place they stand at: a buoy with its light, topmark and fog signal is one. */
function atOnePlace(aids: readonly Drawable[]): (readonly Drawable[])[] {
  const places = new Map<string, Drawable[]>();
  for (const drawable of aids) {
    const key = placeKey(drawable);
    const place = places.get(key);
    if (place === undefined) places.set(key, [drawable]);
    else place.push(drawable);
  }
  return [...places.values()];
}

function placeKey({ geometry }: Drawable): string {
  return geometry.type === 'point' ? `${geometry.longitude},${geometry.latitude}` : '';
}
