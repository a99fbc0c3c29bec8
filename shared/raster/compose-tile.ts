// Composes the display list of a raster tile: the ground of its block, and the shown marks that
// reach the tile.

import type { GroundItem, SetBlock } from './block.ts';
import { type CompiledLayer, type EngineColor, imageName } from './compile-style.ts';
import {
  type DisplayItem,
  type DisplayList,
  type Ink,
  type Path,
  TILE_PIXELS,
} from './display-list.ts';
import { inkOf } from './ink.ts';
import type { WindowMarks } from './window-marks.ts';

interface ComposeOptions {
  readonly blocks: readonly SetBlock[];
  /** Marks of these blocks. */
  readonly marks: WindowMarks;
  readonly style: readonly CompiledLayer[];
  readonly zoom: number;
  readonly originX: number;
  readonly originY: number;
}

/** Lines are visible this far beyond the tile because of their width. */
const GROUND_MARGIN_PIXELS = 8;

export function composeTile(options: ComposeOptions): DisplayList {
  const layers: DisplayItem[][] = options.style.map((layer) => backgroundOf(layer, options.zoom));
  for (const { block, left, top, isOwn } of options.blocks) {
    if (!isOwn) continue;
    for (const one of block.ground) {
      const item = groundOf(one, left, top);
      if (item !== undefined) layers[one.layer]!.push(item);
    }
  }
  const { left: firstLeft, top: firstTop } = options.blocks[0]!;
  for (const { mark, left, top } of options.marks.reaching(-firstLeft, -firstTop)) {
    const x = mark.item.x + left + firstLeft;
    const y = mark.item.y + top + firstTop;
    layers[mark.layer]!.push({ ...mark.item, x, y });
  }
  return { items: layers.flat(), originX: options.originX, originY: options.originY };
}

const WHOLE_TILE: Path = Float32Array.of(
  ...[0, 0, TILE_PIXELS, 0, TILE_PIXELS, TILE_PIXELS, 0, TILE_PIXELS],
);

function backgroundOf(layer: CompiledLayer, zoom: number): DisplayItem[] {
  if (layer.type !== 'background') return [];
  const pattern = imageName(layer.value('background-pattern', zoom));
  const color = layer.value<EngineColor>('background-color', zoom);
  const ink: Ink | string =
    pattern === '' ? inkOf(color, layer.value<number>('background-opacity', zoom)) : pattern;
  return [{ kind: 'fill', rings: [WHOLE_TILE], ink, isSmooth: false }];
}

/** The item shifted to the tile, without paths that do not reach it, or `undefined`. */
function groundOf({ item, boxes }: GroundItem, left: number, top: number): DisplayItem | undefined {
  const low = -GROUND_MARGIN_PIXELS;
  const high = TILE_PIXELS + GROUND_MARGIN_PIXELS;
  const near = (_: Path, i: number) => {
    const [l, t, r, b] = boxes[i]!;
    return l + left < high && r + left > low && t + top < high && b + top > low;
  };
  if (item.kind === 'fill') {
    const rings = item.rings.filter(near).map((path) => moved(path, left, top));
    return rings.length === 0 ? undefined : { ...item, rings };
  }
  const lines = item.lines.filter(near).map((path) => moved(path, left, top));
  return lines.length === 0 ? undefined : { ...item, lines };
}

function moved(path: Path, left: number, top: number): Path {
  const out = new Float32Array(path.length);
  for (let i = 0; i < path.length; i += 2) {
    out[i] = path[i]! + left;
    out[i + 1] = path[i + 1]! + top;
  }
  return out;
}
