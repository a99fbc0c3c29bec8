// Names that several objects of a cell share: an anchorage and the sea area below it, sections of a
// channel, spans of a bridge. Each name is written once if the objects are close together.

import { PLACE_CLASSES } from '../../shared/chart/place-classes.ts';
import { pushTo } from '../../shared/geo/map-entries.ts';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import type { Drawable } from '../portray/features/drawable.ts';
import { isShownAt, type SpacedRanks, type Spacing, spacedRanks } from './spaced-ranks.ts';

/** Distance in pixels between equal names: about the width of two long ones. */
const SPACING: Spacing = { sameKind: 180, otherKind: 0 };

/** Layers of points that carry the names of areas, waters or land. */
const NAMED_GROUND: ReadonlySet<string> = new Set([
  'AREASYM',
  'SEAARE',
  'LNDRGN',
  'LNDARE',
  'BUAARE',
]);
const PLACES: ReadonlySet<string> = new Set(PLACE_CLASSES);

type Properties = Drawable['properties'];

export class RepeatedNames {
  readonly #index = new Map<Drawable, number>();
  readonly #ranks: SpacedRanks;

  /**
   * @param drawables points of one owner, without those that it does not show
   * @param lastZoom deepest zoom of its tiles; deeper tiles are cut from those
   * @param visibleFrom zoom from which a point is visible: a hidden one must not claim a name
   */
  constructor(
    drawables: readonly Drawable[],
    lastZoom: number,
    visibleFrom: (drawable: Drawable) => number,
  ) {
    const byText = new Map<string, Drawable[]>();
    for (const drawable of drawables) {
      const text = repeatable(drawable);
      if (text === undefined) continue;
      pushTo(byText, text, drawable);
    }
    const kinds = [...byText.values()].filter(({ length }) => length > 1);
    const named = kinds
      .flatMap((alike, kind) =>
        alike.map((drawable) => ({ drawable, kind, from: visibleFrom(drawable) })),
      )
      .sort((a, b) => a.from - b.from || byClaim(a.drawable, b.drawable));
    named.forEach(({ drawable }, i) => void this.#index.set(drawable, i));
    const points = named.map(({ drawable, kind, from }) => rankable(drawable, kind, from));
    this.#ranks = spacedRanks(points, SPACING, lastZoom);
  }

  /**
   * Properties without a name that is already written nearby; `undefined` if nothing else remains.
   */
  at(drawable: Drawable, properties: Properties, zoom: number): Properties | undefined {
    const index = this.#index.get(drawable);
    if (index === undefined || isShownAt(this.#ranks, index, zoom)) return properties;
    const { nm: _written, ...rest } = properties;
    return 'sy' in rest || 'tx' in rest ? rest : undefined;
  }
}

/** A key of names that may be written once; places and waters are shown and hidden separately. */
function repeatable({ layer, properties }: Drawable): string | undefined {
  const { nm, tx, cls = layer } = properties;
  // Next to a clearance, the name is part of one text.
  if (!NAMED_GROUND.has(layer) || typeof nm !== 'string' || tx !== undefined) return undefined;
  return `${PLACES.has(String(cls))} ${nm}`;
}

/** Of names visible from the same zoom, those next to a symbol come first. */
function byClaim(a: Drawable, b: Drawable): number {
  const symbol = ({ properties }: Drawable) => ('sy' in properties ? 0 : 1);
  return symbol(a) - symbol(b) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

function rankable({ geometry, properties }: Drawable, kind: number, from: number) {
  if (geometry.type !== 'point') throw new Error('Only points have names of their own.');
  // A dated object is not drawn on some days; on those it must not have hidden others.
  const isDated = 'ds' in properties || 'de' in properties || 'ps' in properties;
  return {
    x: mercatorX(geometry.longitude),
    y: mercatorY(geometry.latitude),
    first: Math.floor(from),
    visibleFrom: isDated ? Number.POSITIVE_INFINITY : from,
    kind,
  };
}
