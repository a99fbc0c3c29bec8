// Names that several objects share: an anchorage and the sea area below it, sections of a channel, a cape and its
// landmark. Each name is written once if the objects are close together, and so are equal texts of lights.

import { PLACE_CLASSES } from '../../shared/chart/place-classes.ts';
import { pushTo, remembered } from '../../shared/geo/map-entries.ts';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import { decodeTile, type TileFeature, type TileLayer } from '../../shared/mvt/decode.ts';
import { EXTENT, encodeTile } from '../../shared/mvt/encode.ts';
import { builderOf } from '../../shared/mvt/merge.ts';
import type { Drawable } from '../portray/features/drawable.ts';
import { isShownAt, type SpacedRanks, type Spacing, spacedRanks } from './spaced-ranks.ts';

/** A kind of text. Where equal texts are near each other, one is written. */
interface Repeated {
  /** A key of equal texts; `undefined` for a point without such a text. */
  readonly keyOf: (point: Pick<Drawable, 'layer' | 'properties'>) => string | undefined;
  /** Least distance between equal texts. */
  readonly spacing: Spacing;
  /** The properties of the text. */
  readonly text: readonly string[];
}

/** Distance in pixels between equal names: about the width of two long ones. */
const NAME_PIXELS = 180;
/** The length of a flare: closer lights are read as one. */
const FLARE_PIXELS = 22;

const REPEATED: readonly Repeated[] = [
  { keyOf: nameKey, spacing: { sameKind: NAME_PIXELS, otherKind: 0 }, text: ['nm'] },
  {
    keyOf: ({ layer, properties: { tx } }) => (layer === 'LIGHTS' ? tx?.toString() : undefined),
    spacing: { sameKind: FLARE_PIXELS, otherKind: 0 },
    text: ['tx', 'tf'],
  },
];

/** Layers of points that carry the names of areas, waters or land, or of a landmark on it. */
const NAMED_GROUND: ReadonlySet<string> = new Set([
  'AREASYM',
  'SEAARE',
  'LNDRGN',
  'LNDARE',
  'BUAARE',
  'LNDMRK',
]);
/** Layers whose equal texts belong to different objects. */
const IN_ENLARGED_TILES: ReadonlySet<string> = new Set(['LIGHTS', 'LNDMRK']);
const PLACES: ReadonlySet<string> = new Set(PLACE_CLASSES);

type Properties = Drawable['properties'];

interface Place {
  readonly ranks: SpacedRanks;
  readonly index: number;
  readonly text: readonly string[];
  /** Zoom from which all equal texts are written. */
  readonly allFrom: number;
}

/** Names and light texts of the points of one owner. */
export class RepeatedTexts {
  readonly #places = new Map<Drawable, Place>();

  /**
   * @param drawables points of one owner, without those that it does not show
   * @param lastZoom deepest zoom of its tiles; deeper tiles are cut from those
   * @param visibleFrom zoom from which a point is visible: a hidden one must not claim a text
   */
  constructor(
    drawables: readonly Drawable[],
    lastZoom: number,
    visibleFrom: (drawable: Drawable) => number,
  ) {
    for (const { keyOf, spacing, text } of REPEATED) {
      const byKey = new Map<string, Drawable[]>();
      for (const drawable of drawables) {
        const key = keyOf(drawable);
        if (key !== undefined) pushTo(byKey, key, drawable);
      }
      const kinds = [...byKey.values()].filter(({ length }) => length > 1);
      const written = kinds
        .flatMap((alike, kind) => {
          // The last tiles are also enlarged, until equal objects are far apart.
          const areApart = alike.every(({ layer }) => IN_ENLARGED_TILES.has(layer));
          const allFrom = areApart ? lastZoom : Number.POSITIVE_INFINITY;
          return alike.map((drawable) => ({
            ...{ drawable, kind, allFrom },
            from: visibleFrom(drawable),
          }));
        })
        .sort((a, b) => a.from - b.from || byClaim(a.drawable, b.drawable));
      const points = written.map(({ drawable, kind, from }) => rankable(drawable, kind, from));
      const ranks = spacedRanks(points, spacing, lastZoom);
      written.forEach(({ drawable, allFrom }, index) => {
        this.#places.set(drawable, { ranks, index, text, allFrom });
      });
    }
  }

  /**
   * Properties without a text that is already written nearby; `undefined` if nothing else remains.
   */
  at(drawable: Drawable, properties: Properties, zoom: number): Properties | undefined {
    const place = this.#places.get(drawable);
    if (place === undefined) return properties;
    const isWritten = zoom >= place.allFrom || isShownAt(place.ranks, place.index, zoom);
    return isWritten ? properties : without(place.text, properties);
  }
}

function without<T>(text: readonly string[], properties: Readonly<Record<string, T>>) {
  const rest = Object.entries(properties).filter(([key]) => !text.includes(key));
  return rest.some(([key]) => key === 'sy' || key === 'tx') ? Object.fromEntries(rest) : undefined;
}

const NAME_UNITS = (NAME_PIXELS * EXTENT) / 512;

/** The tile of several owners with one of equal names that are close together. Other tiles are not considered. */
export function withoutRepeatedNames(bytes: Uint8Array): Uint8Array {
  const repeated = repeatedNames(decodeTile(bytes, (layer) => NAMED_GROUND.has(layer)));
  if (repeated.size === 0) return bytes;
  const layers = decodeTile(bytes).map(({ name, features }) => ({
    name,
    features: features.flatMap((feature) => {
      if (!repeated.has(placeOf(name, feature))) return [feature];
      const properties = without(['nm'], feature.properties);
      return properties === undefined ? [] : [{ ...feature, properties }];
    }),
  }));
  return encodeTile(layers.filter(({ features }) => features.length > 0).map(builderOf));
}

const placeOf = (layer: string, { id, paths }: TileFeature): string =>
  `${layer}/${id}/${paths[0]!.join()}`;

/** The places of names near an equal one that is visible whenever they are. */
function repeatedNames(layers: readonly TileLayer[]): ReadonlySet<string> {
  const named = layers.flatMap(({ name: layer, features }) =>
    features.flatMap((feature) => {
      const key = feature.type === 1 ? nameKey({ layer, ...feature }) : undefined;
      return key === undefined ? [] : [{ layer, feature, key }];
    }),
  );
  const from = ({ properties }: TileFeature) => Number(properties['mz'] ?? 0);
  named.sort(
    ({ feature: a }, { feature: b }) => from(a) - from(b) || bySymbol(a, b) || a.id - b.id,
  );
  const written = new Map<string, (readonly [x: number, y: number, layer: string])[]>();
  const repeated = new Set<string>();
  for (const { layer, feature, key } of named) {
    const [x, y] = feature.paths[0] as [number, number];
    const others = remembered(written, key, () => []);
    const isRepeated = others.some(
      ([ox, oy, other]) =>
        !(layer === 'LNDMRK' && other === 'LNDMRK') && Math.hypot(ox - x, oy - y) < NAME_UNITS,
    );
    if (isRepeated) {
      repeated.add(placeOf(layer, feature));
    } else if (!isDated(feature.properties)) others.push([x, y, layer]);
  }
  return repeated;
}

/** Places and waters are shown and hidden separately. */
function nameKey({ layer, properties }: Pick<Drawable, 'layer' | 'properties'>) {
  const { nm, tx, cls = layer } = properties;
  if (!NAMED_GROUND.has(layer) || typeof nm !== 'string') return undefined;
  // Next to a clearance, the name is part of one text.
  if (layer === 'AREASYM' && tx !== undefined) return undefined;
  return `${PLACES.has(String(cls))} ${nm}`;
}

/** Of texts visible from the same zoom, those next to a symbol come first. */
const byClaim = (a: Drawable, b: Drawable): number =>
  bySymbol(a, b) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

function bySymbol(a: Pick<TileFeature, 'properties'>, b: Pick<TileFeature, 'properties'>): number {
  return Number('sy' in b.properties) - Number('sy' in a.properties);
}

/** A dated object is not drawn on some days; on those it must not have hidden others. */
const isDated = (properties: object): boolean =>
  'ds' in properties || 'de' in properties || 'ps' in properties;

function rankable({ geometry, properties }: Drawable, kind: number, from: number) {
  if (geometry.type !== 'point') throw new Error('Only points have texts of their own.');
  return {
    x: mercatorX(geometry.longitude),
    y: mercatorY(geometry.latitude),
    first: Math.floor(from),
    visibleFrom: isDated(properties) ? Number.POSITIVE_INFINITY : from,
    kind,
  };
}
