// Creates the icons and texts of one style layer on one block, before placement.

import { shownText } from '../chart/shown-text.ts';
import { type Box, clipLine } from '../geo/clip-box.ts';
import type { TileFeature } from '../mvt/decode.ts';
import type { Mark } from './block.ts';
import { type CompiledLayer, type EngineColor, imageName } from './compile-style.ts';
import { GLYPH_EM, type GlyphSet } from './glyphs.ts';
import { iconMark, type Site, type Value } from './icon-mark.ts';
import { inkOf } from './ink.ts';
import { type AnchorOptions, type LineAnchor, lengthOf, lineAnchors } from './line-anchors.ts';
import { type Anchor, type ShapedText, type ShapeOptions, shapeText } from './shape-text.ts';
import { textAlong } from './text-along.ts';
import { reachesTooFar, textPlaces } from './text-places.ts';

export interface MarkOptions {
  /** Map zoom for the style. */
  readonly zoom: number;
  readonly blockPixels: number;
  /**
   * Glyphs of a font or a comma-separated list; each letter comes from the first font that has it.
   */
  readonly glyphs: (fonts: string) => GlyphSet;
  readonly iconSize: (image: string) => readonly [number, number] | undefined;
}

/** Marks of a layer. A generator, so that the caller can stop if they need too much memory. */
export function* marksOf(
  layer: CompiledLayer,
  index: number,
  features: readonly TileFeature[],
  scale: number,
  options: MarkOptions,
): Generator<Mark> {
  const known = { taken: new Map<string, LineAnchor[]>(), shapes: new Map<string, ShapedText>() };
  for (const feature of features) {
    const value = <T>(name: string) => layer.value<T>(name, options.zoom, feature);
    if (isHidden(value)) continue;
    const isAlong = value<string>('symbol-placement') === 'line';
    const icons = iconMarks(feature, index, scale, options, value);
    const texts = textMarks({ feature, layer: index, scale, ...known }, options, value);
    // At points, icon and text belong together, and neither is shown without the other.
    const areJoined =
      !isAlong &&
      icons.length === texts.length &&
      !value('text-optional') &&
      !value('icon-optional');
    // An invisible icon without a text keeps other texts away.
    const isSeen = ({ isBlank, isObstacle }: Mark) =>
      isBlank !== true || (isObstacle && textOf(value) === '');
    yield* areJoined
      ? texts.map((text, i) => ({ ...text, partner: icons[i]! }))
      : [...icons.filter(isSeen), ...texts];
  }
}

/**
 * Whether SCAMIN hides a feature: an opacity below zero draws nothing and takes no space. With
 * opacity 0, an invisible mark keeps texts away.
 */
function isHidden(value: Value): boolean {
  const isTextHidden = value<number>('text-opacity') < 0;
  const isIconHidden = value<number>('icon-opacity') < 0;
  // Formatting texts is slow, so they are evaluated only if necessary.
  if (isTextHidden === isIconHidden) return isTextHidden;
  return textOf(value) !== '' ? isTextHidden : isIconHidden;
}

const textOf = (value: Value): string => String(value('text-field') ?? '').trim();

function iconMarks(
  feature: TileFeature,
  layer: number,
  scale: number,
  options: MarkOptions,
  value: Value,
): Mark[] {
  const image = imageName(value('icon-image'));
  const size = image === '' ? undefined : options.iconSize(image);
  if (size === undefined) return [];
  const sites =
    value<string>('symbol-placement') === 'line'
      ? alongLines(feature, scale, {
          ...spacingOf(value, options),
          // MapLibre scales icons along lines by the text size.
          lengthPixels: (size[0] * value<number>('text-size')) / GLYPH_EM,
          isText: false,
        })
      : points(feature, scale);
  return sites.map((site) => iconMark(layer, image, size, site, value));
}

interface TextsOf {
  readonly feature: TileFeature;
  readonly layer: number;
  readonly scale: number;
  /** Anchors of each text along the layer's previous lines. */
  readonly taken: Map<string, LineAnchor[]>;
  /** The layer's texts. Equal ones share their letters. */
  readonly shapes: Map<string, ShapedText>;
}

function textMarks(of: TextsOf, options: MarkOptions, value: Value): Mark[] {
  const { feature, layer, scale, taken, shapes } = of;
  const text = shownText(transformed(String(value('text-field') ?? ''), value('text-transform')));
  if (text.trim() === '' || value<number>('text-opacity') <= 0) return [];
  const isAlong = value<string>('symbol-placement') === 'line';
  const font = value<readonly string[]>('text-font').join(',');
  const glyphs = options.glyphs(font);
  const shapeOptions = shapeOptionsOf(isAlong, value);
  const key = JSON.stringify([text, font, shapeOptions]);
  const shaped = shapes.get(key) ?? shapeText(text, glyphs, shapeOptions);
  if (shaped.glyphs.length === 0) return [];
  const sizePixels = value<number>('text-size');
  const lengthPixels = shaped.right - shaped.left;
  const spacing = spacingOf(value, options);
  const sites = isAlong
    ? alongLines(feature, scale, { ...spacing, lengthPixels, isText: true }).filter(({ anchor }) =>
        isApart(taken, text, anchor!, spacing.spacingPixels / 2),
      )
    : points(feature, scale);
  const marks = sites.flatMap(
    (site) => textMark(layer, { text, font, sizePixels, shaped, glyphs }, site, value) ?? [],
  );
  // Only letters that marks hold: the weight of a block counts no others. Marks along lines have their own.
  if (marks.length > 0 && !isAlong) shapes.set(key, shaped);
  return marks;
}

function points({ type, paths }: TileFeature, scale: number): Site[] {
  if (type !== 1) return [];
  const at = paths[0]!;
  const sites: Site[] = [];
  for (let i = 0; i < at.length; i += 2) sites.push({ x: at[i]! * scale, y: at[i + 1]! * scale });
  return sites;
}

/** Spacing of a layer's marks along lines. */
const spacingOf = (value: Value, { blockPixels }: MarkOptions) => ({
  spacingPixels: value<number>('symbol-spacing'),
  sizePixels: value<number>('text-size'),
  maxBendRadians: (value<number>('text-max-angle') * Math.PI) / 180,
  blockPixels,
});

function alongLines(feature: TileFeature, scale: number, options: AnchorOptions): Site[] {
  if (feature.type === 1) return [];
  const { blockPixels, lengthPixels } = options;
  const box: Box = { left: 0, top: 0, right: blockPixels, bottom: blockPixels };
  const sites: Site[] = [];
  for (const path of feature.paths) {
    const whole = path.map((value) => value * scale);
    // Most lines are shorter than their label.
    if (lengthOf(whole) < lengthPixels) continue;
    for (const line of clipLine(whole, box)) {
      for (const anchor of lineAnchors(line, options)) {
        sites.push({ x: anchor.x, y: anchor.y, line, anchor });
      }
    }
  }
  return sites;
}

/** Whether equal texts along lines keep their distance. Earlier ones are kept. */
function isApart(
  taken: Map<string, LineAnchor[]>,
  text: string,
  anchor: LineAnchor,
  least: number,
): boolean {
  const others = taken.get(text) ?? [];
  if (others.some(({ x, y }) => Math.hypot(x - anchor.x, y - anchor.y) < least)) return false;
  taken.set(text, [...others, anchor]);
  return true;
}

interface Shaped {
  readonly text: string;
  readonly font: string;
  readonly sizePixels: number;
  readonly shaped: ShapedText;
  readonly glyphs: GlyphSet;
}

function textMark(
  layer: number,
  { text, font, sizePixels, shaped, glyphs }: Shaped,
  { x, y, line, anchor }: Site,
  value: Value,
): Mark | undefined {
  const isAlong = line !== undefined && anchor !== undefined;
  const placed = isAlong ? textAlong(shaped, glyphs, sizePixels, line, anchor) : shaped.glyphs;
  if (placed === undefined) return undefined;
  const opacity = value<number>('text-opacity');
  const pad = value<number>('text-padding');
  const boxes = isAlong
    ? placed.flatMap((glyph) => [
        x + glyph.x - sizePixels / 2,
        y + glyph.y - sizePixels / 2,
        x + glyph.x + sizePixels,
        y + glyph.y + sizePixels,
      ])
    : [
        x + shaped.left - pad,
        y + shaped.top - pad,
        x + shaped.right + pad,
        y + shaped.bottom + pad,
      ];
  const anchors = value<readonly Anchor[] | undefined>('text-variable-anchor');
  const places =
    isAlong || anchors === undefined
      ? undefined
      : textPlaces({
          anchors,
          offsetEms: value('text-offset'),
          sizePixels,
          widthPixels: shaped.right - shaped.left + 2 * pad,
          heightPixels: shaped.bottom - shaped.top + 2 * pad,
        });
  if (!isAlong && reachesTooFar(x, y, boxes, places)) return undefined;
  return {
    layer,
    ...(places === undefined ? {} : { places }),
    item: {
      kind: 'text',
      text,
      font,
      sizePixels,
      x,
      y,
      glyphs: placed,
      ink: inkOf(value<EngineColor>('text-color'), opacity),
      halo: inkOf(value<EngineColor>('text-halo-color'), opacity),
      haloPixels: value('text-halo-width'),
    },
    boxes,
    isKept: value('text-allow-overlap'),
    isObstacle: !value<boolean>('text-ignore-placement'),
    sortKey: value<number | undefined>('symbol-sort-key'),
  };
}

function shapeOptionsOf(isAlong: boolean, value: Value): ShapeOptions {
  // A text with several possible places is centred on the point and shifted from there.
  const isMoved = !isAlong && value('text-variable-anchor') !== undefined;
  return {
    sizePixels: value('text-size'),
    // Texts along a line are not wrapped.
    maxWidthEms: isAlong ? 0 : value('text-max-width'),
    letterSpacingEms: value('text-letter-spacing'),
    lineHeightEms: value('text-line-height'),
    anchor: isMoved ? 'center' : value<Anchor>('text-anchor'),
    offsetEms: isMoved ? [0, 0] : value('text-offset'),
  };
}

function transformed(text: string, transform: string): string {
  if (transform === 'uppercase') return text.toLocaleUpperCase('en');
  return transform === 'lowercase' ? text.toLocaleLowerCase('en') : text;
}
