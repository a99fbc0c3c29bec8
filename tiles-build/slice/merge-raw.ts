// Merges raw fragments of one tile into its GeoJSON document. A fragment is text with one feature
// per line. Lines of features with points on the border of two cells are marked, as both cells may
// contain them.

import { foidPart } from '../../shared/s57/vocabulary/feature-id.ts';
import { RAW_ZOOMS } from '../quilt/made-tiles.ts';
import {
  condenseRaw,
  type FittedRaw,
  fitRaw,
  MAX_RAW_BYTES,
  NOT_DRAWN,
  type RawLimits,
} from './fit-raw.ts';

/** First character of a line whose feature has points on a border. */
export const ON_BORDER = '\t';

interface PointFeature {
  readonly id: string;
  readonly properties: { readonly layerId: string; readonly attributes: unknown };
  readonly geometry:
    | { readonly type: 'Point'; readonly coordinates: readonly number[] }
    | { readonly type: 'MultiPoint'; readonly coordinates: readonly (readonly number[])[] };
}

const decoder = new TextDecoder();

/** Multiple of the tile's limit above which lines are reduced as they arrive. */
const HELD_LIMITS = 8;
/** After this many rounds the limit for lines in memory is raised instead. */
const MAX_ROUNDS = 8;

/** A FeatureCollection from all fragments: see `RawJoin`. */
export function mergeRaw(fragments: readonly Uint8Array[], limits?: RawLimits): FittedRaw {
  const join = new RawJoin(limits);
  for (const fragment of fragments) join.add(fragment);
  return join.finish();
}

/**
 * A FeatureCollection from all fragments, in their order, one line per feature, of at most
 * `MAX_RAW_BYTES` (see `fitRaw`; `leftOut` counts removed features, if any). Points that two cells
 * contribute from their common border appear once: the same object, or objects of the same class
 * with the same attributes (of soundings, the same depth) at the same position.
 */
export class RawJoin {
  readonly #limits: RawLimits;
  readonly #seen = new Set<string>();
  #lines: string[] = [];
  #characters = 0;
  #most: number;
  #round = 0;
  #leftOut = 0;

  constructor(limits: RawLimits = {}) {
    this.#limits = limits;
    this.#most = HELD_LIMITS * (limits.bytes ?? MAX_RAW_BYTES);
  }

  add(fragment: Uint8Array): void {
    // Within one cell there are no duplicates.
    const found: string[] = [];
    for (const marked of decoder.decode(fragment).split('\n')) {
      const line = this.#lineOf(marked, found);
      if (line === undefined) continue;
      this.#lines.push(line);
      this.#characters += line.length;
    }
    for (const key of found) this.#seen.add(key);
    while (this.#characters > this.#most) this.#condense();
  }

  finish(): FittedRaw {
    return fitRaw(this.#lines, { ...this.#limits, leftOut: this.#leftOut });
  }

  #lineOf(marked: string, found: string[]): string | undefined {
    const mark = marked.startsWith(NOT_DRAWN) ? NOT_DRAWN : '';
    const line = marked.slice(mark.length);
    if (!line.startsWith(ON_BORDER)) return marked;
    const feature = withoutSeen(JSON.parse(line.slice(ON_BORDER.length)), this.#seen, found);
    return feature === undefined ? undefined : mark + JSON.stringify(feature);
  }

  #condense(): void {
    const { lines, leftOut } = condenseRaw(
      this.#lines,
      this.#limits.zoom ?? RAW_ZOOMS[0]!,
      this.#round,
    );
    this.#lines = lines;
    this.#leftOut += leftOut;
    this.#characters = lines.reduce((sum, line) => sum + line.length, 0);
    if (this.#characters <= this.#most / 2) return;
    // Raise the limit, or data that do not shrink would be reduced again for each fragment.
    if (this.#round === MAX_ROUNDS) this.#most = 2 * this.#characters;
    else this.#round++;
  }
}

function withoutSeen(
  feature: PointFeature,
  seen: ReadonlySet<string>,
  found: string[],
): PointFeature | undefined {
  const { id, properties, geometry } = feature;
  if (properties.layerId === 'SOUNDG' && geometry.type === 'MultiPoint') {
    const coordinates = geometry.coordinates.filter((position) => {
      const key = `SOUNDG ${position.join()}`;
      found.push(key);
      return !seen.has(key);
    });
    return coordinates.length === 0
      ? undefined
      : { ...feature, geometry: { ...geometry, coordinates } };
  }
  const place = JSON.stringify(geometry.coordinates);
  const keys = [`${foidPart(id)} ${place}`, `${JSON.stringify(properties)} ${place}`];
  for (const key of keys) found.push(key);
  return keys.some((key) => seen.has(key)) ? undefined : feature;
}
