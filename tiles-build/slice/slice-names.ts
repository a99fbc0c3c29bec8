// The named objects of a cell as index entries: each with a position at which the quilt shows this
// cell, and the zoom at which to view it.

import { LAST_VIEW_ZOOM, TIER_ZOOMS } from '../../shared/chart/band-for-zoom.ts';
import { type GeoBounds, wrappedBounds } from '../../shared/chart/bounds.ts';
import { zoomOfScale } from '../../shared/chart/scale-zoom.ts';
import { shownText } from '../../shared/chart/shown-text.ts';
import { boundsOf, type Flat } from '../../shared/geo/clip-box.ts';
import { firstPageOf, type NameEntry, pageText } from '../../shared/names/name-page.ts';
import { keysOf, plainName } from '../../shared/names/name-text.ts';
import { TIER_LAST_ZOOMS } from '../../shared/query/bucket-layers.ts';
import type { Cell, EdgeUse, Feature } from '../../shared/s57/cell/cell.ts';
import { areaOf, chainsOf, nodesOf, positionsOf } from '../../shared/s57/cell/geometry.ts';
import { periodOf } from '../../shared/s57/vocabulary/periods.ts';
import { textOf } from '../../shared/s57/vocabulary/typed-values.ts';
import { belowScale } from '../generalise/below-scale.ts';
import { type Anchor, areaAnchor, lineAnchor } from '../portray/features/anchors.ts';
import { coverageOf, gridX, gridY } from '../quilt/coverage.ts';
import type { Ownership } from '../quilt/ownership.ts';
import { compilationZoom } from '../quilt/rank.ts';
import { shownFrom } from './first-zoom.ts';
import type { Fragment } from './fragment.ts';
import { type OwnsPoint, pointOwner } from './own-point.ts';

const encoder = new TextEncoder();

/** The entries of a cell by bucket, in the archive's tile order. */
export function sliceNames(cell: Cell, ownership: Ownership): Fragment[] {
  const tiers = TIER_ZOOMS.map((_, tier) => pointOwner(ownership, ownership.faces[tier]!));
  const firstWhole = belowScale(compilationZoom(coverageOf(cell))).lastZoom + 1;
  const shown = { tiers, firstWhole };
  const buckets = new Map<number, NameEntry[]>();
  const byId = new Map(cell.features.map((feature) => [foidOf(feature), feature]));
  // Collections can share members.
  const extents = new Map<Feature, Extent>();
  const extentFor = (feature: Feature): Extent => {
    const extent = extents.get(feature) ?? extentOf(cell, feature);
    extents.set(feature, extent);
    return extent;
  };
  for (const feature of cell.features) {
    const found = entryOf(cell, feature, thingsOf(feature, byId), extentFor, shown);
    if (found === undefined) continue;
    const { name, national = '' } = found;
    const keys = new Set([...keysOf(plainName(name)), ...keysOf(plainName(national))]);
    for (const key of keys) {
      const tileId = firstPageOf(key);
      const entries = buckets.get(tileId) ?? [];
      if (entries.length === 0) buckets.set(tileId, entries);
      entries.push({ key, ...found });
    }
  }
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .map(([tileId, entries]) => ({
      tileId,
      bytes: encoder.encode(pageText({ next: [], entries })),
    }));
}

/** Meta objects, collections and cartographic objects, which are not real things. */
const NOT_A_THING = /^[MC]_|^\$/;

const COLLECTION = /^C_A/;

/** The things at whose place a feature is found: itself, or the members of a collection in its cell. */
function thingsOf(feature: Feature, byId: ReadonlyMap<string, Feature>): readonly Feature[] {
  const found = COLLECTION.test(feature.acronym)
    ? feature.relations.flatMap(({ target }) => byId.get(foidOf({ id: target })) ?? [])
    : [feature];
  return [...new Set(found)].filter(({ acronym }) => !NOT_A_THING.test(acronym));
}

const foidOf = ({ id }: Pick<Feature, 'id'>): string =>
  `${id.agency}.${id.number}.${id.subdivision}`;

function entryOf(
  cell: Cell,
  feature: Feature,
  things: readonly Feature[],
  extentFor: (feature: Feature) => Extent,
  shown: Pick<NamedFeature, 'tiers' | 'firstWhole'>,
): Omit<NameEntry, 'key'> | undefined {
  const { attributes, classCode } = feature;
  const national = nameOf(attributes, 'NOBJNM');
  const name = nameOf(attributes, 'OBJNAM') ?? national;
  if (name === undefined) return undefined;
  // A member with the name of its collection is found itself.
  if (things.some((thing) => thing !== feature && nameOf(thing.attributes, 'OBJNAM') === name))
    return undefined;
  const { name: cellName, scaleDenominator: scale } = cell.header;
  const extents = things.map(extentFor);
  const places = things.map((thing, i) =>
    shownPlace({ feature: thing, extent: extents[i]!, scale, ...shown }),
  );
  const place = places.find((one) => one !== undefined);
  if (place === undefined) return undefined;
  const period = periodOf(attributes);
  return {
    name,
    ...(national === undefined || national === name ? {} : { national }),
    classCode,
    id: foidOf(feature),
    cell: cellName,
    ...place,
    ...(things.length === 1 && things[0]!.primitive === 'point'
      ? {}
      : { bounds: boundsOfPlaces(extents.map(({ positions }) => positions)) }),
    scale,
    ...(Object.keys(period).length === 0 ? {} : { period }),
  };
}

function nameOf(attributes: Feature['attributes'], acronym: string): string | undefined {
  const name = textOf(attributes, acronym);
  return name === undefined ? undefined : shownText(name);
}

interface Extent {
  /** All positions: degrees, longitude before latitude. */
  readonly positions: Flat;
  /** The position of its symbol or name, for a line or an area. */
  readonly middle: Anchor | undefined;
}

function extentOf(cell: Cell, feature: Feature): Extent {
  if (feature.primitive === 'point') {
    const positions = nodesOf(cell, feature).flatMap((node) => [...node.positions]);
    return { positions, middle: undefined };
  }
  const flat = (chains: readonly (readonly EdgeUse[])[]) =>
    chains.flatMap((uses) => [...positionsOf(uses)]);
  if (feature.primitive === 'area') {
    const area = areaOf(cell, feature);
    const rings = area.flatMap((polygon) => polygon.map(({ uses }) => uses));
    return { positions: flat(rings), middle: areaAnchor(area) };
  }
  const chains = chainsOf(cell, feature);
  return { positions: flat(chains), middle: lineAnchor(chains) };
}

/** Positions tried if the middle of a feature belongs to another cell. */
const MAX_TRIED = 64;

/** Positions at which a feature may be found, the best first. */
function candidatesOf({ positions, middle }: Extent): readonly Anchor[] {
  const step = 2 * Math.ceil(positions.length / 2 / MAX_TRIED);
  const others: Anchor[] = [];
  for (let i = 0; i + 1 < positions.length; i += step) {
    others.push({ longitude: positions[i]!, latitude: positions[i + 1]! });
  }
  return middle === undefined ? others : [middle, ...others];
}

interface NamedFeature {
  readonly feature: Feature;
  readonly extent: Extent;
  readonly tiers: readonly OwnsPoint[];
  /** Compilation scale of its cell. */
  readonly scale: number;
  /** First whole zoom at which a cell of its scale is not thinned; tiles may end before it. */
  readonly firstWhole: number;
}

/**
 * The position and zoom at which the chart shows a feature, nearest to the compilation scale of its
 * cell. `undefined` if finer cells or SCAMIN hide it everywhere.
 */
function shownPlace({ feature, extent, tiers, scale, firstWhole }: NamedFeature) {
  const candidates = candidatesOf(extent);
  let best: { readonly zoom: number; readonly away: number; readonly place: Anchor } | undefined;
  for (const [tier, ownsPoint] of tiers.entries()) {
    const place = candidates.find(({ longitude, latitude }) =>
      ownsPoint(gridX(longitude), gridY(latitude)),
    );
    if (place === undefined) continue;
    const first = shownFrom(feature, place.latitude);
    const last = TIER_LAST_ZOOMS[tier]!;
    const end = tier === tiers.length - 1 ? LAST_VIEW_ZOOM : last;
    if (Math.floor(first) > end) continue;
    // SCAMIN can begin within the last zoom of the tier.
    const from = Math.min(Math.max(TIER_ZOOMS[tier]!, Math.ceil(first)), end);
    const wanted = zoomOfScale(scale, place.latitude);
    const zoom = Math.min(Math.max(firstWhole, from), Math.max(from, last));
    // A tier at whose last zoom SCAMIN still hides the feature comes after all others.
    const away = Math.abs(zoom - wanted) + (zoom < first ? LAST_VIEW_ZOOM : 0);
    if (best === undefined || away < best.away) best = { zoom, away, place };
  }
  if (best === undefined) return undefined;
  const { zoom, place } = best;
  const [longitude] = wrappedBounds([place.longitude, 0, place.longitude, 0]);
  return { longitude: rounded(longitude), latitude: rounded(place.latitude), zoom };
}

/** Rounded to about a metre. */
const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5 || 0;

function boundsOfPlaces(positions: readonly Flat[]): GeoBounds {
  const { left, right, top, bottom } = boundsOf(positions);
  const [west, south, east, north] = wrappedBounds([left, top, right, bottom]);
  return [rounded(west), rounded(south), rounded(east), rounded(north)];
}
