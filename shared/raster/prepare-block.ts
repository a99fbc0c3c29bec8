// Applies the style to one block of the chart (the square of a vector tile at its zoom): ground
// items and marks. Neighbouring raster tiles share blocks, so this runs once for all of them.

import { remembered } from '../geo/map-entries.ts';
import type { TileFeature, TileLayer } from '../mvt/decode.ts';
import type { GroundItem, Mark, PixelBox, PreparedBlock } from './block.ts';
import { type CompiledLayer, type EngineColor, imageName } from './compile-style.ts';
import type { FillItem, Path, StrokeItem } from './display-list.ts';
import { inkKey, inkOf } from './ink.ts';
import { type MarkOptions, marksOf } from './prepare-marks.ts';
import type { PlacedGlyph } from './shape-text.ts';

interface BlockOptions extends MarkOptions {
  readonly layers: readonly TileLayer[];
  readonly style: readonly CompiledLayer[];
}

/** Upper limit for the weight of a block. No valid chart reaches it; a damaged one might. */
const MAX_WEIGHT = 4_000_000;
/** Weight of a mark, and of each of its places and letters, by their measured memory. */
const MARK_WEIGHT = 16;
const PLACE_WEIGHT = 5;
const LETTER_WEIGHT = 7;

/** @throws RangeError if the tile contains more than the limit */
export function prepareBlock(options: BlockOptions): PreparedBlock {
  const bySource = new Map(options.layers.map((layer) => [layer.name, layer]));
  const ground: GroundItem[] = [];
  const marks: Mark[] = [];
  const countedLetters = new Set<readonly PlacedGlyph[]>();
  let weight = 0;
  const add = (numbers: number) => {
    weight += numbers;
    if (weight > MAX_WEIGHT) throw new RangeError('The tile holds more than can be drawn.');
  };
  options.style.forEach((layer, index) => {
    const source = bySource.get(layer.sourceLayer);
    if (source === undefined || layer.type === 'background' || !layer.isShown(options.zoom)) return;
    const features = source.features.filter((feature) => layer.matches(feature, options.zoom));
    if (features.length === 0) return;
    const scale = options.blockPixels / source.extent;
    if (layer.type === 'symbol') {
      for (const mark of marksOf(layer, index, features, scale, options)) {
        add(weightOf(mark, countedLetters));
        marks.push(mark);
      }
      return;
    }
    const items =
      layer.type === 'fill'
        ? fills(layer, index, features, scale, options.zoom)
        : strokes(layer, index, features, scale, options.zoom);
    for (const item of items) {
      add(coordinatesOf(item));
      ground.push(item);
    }
  });
  return { ground, marks, weight };
}

/** Marks with equal texts share their letters, which count once. */
function weightOf(mark: Mark, countedLetters: Set<readonly PlacedGlyph[]>): number {
  const { item, boxes, places = [], partner } = mark;
  let weight = MARK_WEIGHT + boxes.length + PLACE_WEIGHT * places.length;
  if (partner !== undefined) weight += weightOf(partner, countedLetters);
  if (item.kind === 'icon' || countedLetters.has(item.glyphs)) return weight;
  countedLetters.add(item.glyphs);
  return weight + LETTER_WEIGHT * item.glyphs.length;
}

function coordinatesOf({ item }: GroundItem): number {
  const paths = item.kind === 'fill' ? item.rings : item.lines;
  return paths.reduce((sum, path) => sum + path.length, 0);
}

function fills(
  layer: CompiledLayer,
  index: number,
  features: readonly TileFeature[],
  scale: number,
  zoom: number,
): GroundItem[] {
  const groups = new Grouped<FillItem>(index);
  for (const feature of features) {
    if (feature.type !== 3) continue;
    const opacity = layer.value<number>('fill-opacity', zoom, feature);
    if (opacity <= 0) continue;
    const pattern = imageName(layer.value('fill-pattern', zoom, feature));
    const ink = pattern === '' ? inkOf(layer.value('fill-color', zoom, feature), opacity) : pattern;
    if (typeof ink !== 'string' && ink.alpha === 0) continue;
    const isSmooth = pattern === '' && layer.value<boolean>('fill-antialias', zoom, feature);
    const paths = feature.paths.map((path) => scaled(path, scale));
    // Translucent areas overlap visibly, so each is a separate item.
    const key =
      typeof ink === 'string' || ink.alpha === 1 ? `${isSmooth} ${inkKey(ink)}` : undefined;
    groups.add(key, paths, (rings) => ({ kind: 'fill', rings, ink, isSmooth }));
  }
  return groups.items();
}

function strokes(
  layer: CompiledLayer,
  index: number,
  features: readonly TileFeature[],
  scale: number,
  zoom: number,
): GroundItem[] {
  const groups = new Grouped<StrokeItem>(index);
  for (const feature of features) {
    if (feature.type === 1) continue;
    const color = layer.value<EngineColor>('line-color', zoom, feature);
    const ink = inkOf(color, layer.value<number>('line-opacity', zoom, feature));
    const widthPixels = layer.value<number>('line-width', zoom, feature);
    if (ink.alpha <= 0 || widthPixels <= 0) continue;
    const dashes =
      layer.value<readonly number[] | undefined>('line-dasharray', zoom, feature) ?? [];
    const hasRoundCaps = layer.value<string>('line-cap', zoom, feature) === 'round';
    const paths = feature.paths.map((path) =>
      scaled(feature.type === 3 ? [...path, path[0]!, path[1]!] : path, scale),
    );
    groups.add(`${inkKey(ink)} ${widthPixels} ${dashes.join()}`, paths, (lines) => ({
      kind: 'stroke',
      lines,
      ink,
      widthPixels,
      dashPixels: dashes.map((length) => length * widthPixels),
      hasRoundCaps,
    }));
  }
  return groups.items();
}

/** Groups the paths of a layer that are drawn alike. */
class Grouped<T extends FillItem | StrokeItem> {
  readonly #layer: number;
  readonly #groups = new Map<
    string,
    { paths: Path[]; boxes: PixelBox[]; make: (p: Path[]) => T }
  >();
  #alone = 0;

  constructor(layer: number) {
    this.#layer = layer;
  }

  /** Without a key, the paths form a separate item. */
  add(key: string | undefined, paths: readonly Path[], make: (paths: Path[]) => T): void {
    const name = key ?? `alone ${this.#alone++}`;
    const group = remembered(this.#groups, name, () => ({ paths: [], boxes: [], make }));
    for (const path of paths) {
      group.paths.push(path);
      group.boxes.push(boxOf(path));
    }
  }

  items(): GroundItem<T>[] {
    return [...this.#groups.values()].map(({ paths, boxes, make }) => ({
      layer: this.#layer,
      item: make(paths),
      boxes,
    }));
  }
}

function scaled(path: readonly number[], scale: number): Path {
  const out = new Float32Array(path.length);
  for (let i = 0; i < path.length; i++) out[i] = path[i]! * scale;
  return out;
}

function boxOf(path: Path): PixelBox {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < path.length; i += 2) {
    left = Math.min(left, path[i]!);
    right = Math.max(right, path[i]!);
    top = Math.min(top, path[i + 1]!);
    bottom = Math.max(bottom, path[i + 1]!);
  }
  return [left, top, right, bottom];
}
