// Functions that create style layers.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { all, type Expression, expression, get, has, IN_SCALE } from '../expressions.ts';
import { type Condition, either, isSet } from '../live-choices.ts';
import type { StyleAddresses, StyleOptions } from '../options.ts';
import type { Palette } from '../palette.ts';
import { fadeIn } from '../scamin-fade.ts';

/** The input of all layer functions. */
export interface Drawing {
  readonly options: StyleOptions;
  readonly colors: Palette;
  readonly fonts: Fonts;
  readonly addresses: StyleAddresses;
}

/** Font stacks, as lists or literal expressions. */
export interface Fonts {
  readonly regular: readonly string[] | Expression;
  readonly bold: readonly string[] | Expression;
  readonly italic: readonly string[] | Expression;
}

/** Name of the vector source in every document. */
export const CHART_SOURCE = 'chart';

/** A name that is nothing but a number, written as `marked`: a bare number looks like a depth. Others as they are. */
export const markedNumber = (name: Expression, marked: Expression): Expression =>
  expression('case', expression('<', expression('to-number', name, -1), 0), name, marked);

type Values = Readonly<Record<string, unknown>>;

interface Parts {
  readonly filter?: Expression;
  readonly layout?: Values;
  readonly paint?: Values;
  readonly minzoom?: number;
}

function layer(
  type: LayerSpecification['type'],
  id: string,
  sourceLayer: string,
  parts: Parts,
): LayerSpecification {
  const { filter, layout, paint, minzoom } = parts;
  // The layer type of the specification is a union by `type`. The tests validate every document.
  return {
    id,
    type,
    source: CHART_SOURCE,
    'source-layer': sourceLayer,
    ...(minzoom === undefined ? {} : { minzoom }),
    ...(filter === undefined ? {} : { filter }),
    ...(layout === undefined ? {} : { layout }),
    ...(paint === undefined ? {} : { paint }),
  } as LayerSpecification;
}

/** Adds the SCAMIN condition to a filter. Features of the base display have no SCAMIN. */
export const scaled = (filter?: Expression): Expression =>
  filter === undefined ? IN_SCALE : all(IN_SCALE, filter);

export const polygons = expression('==', expression('geometry-type'), 'Polygon');
export const points = expression('==', expression('geometry-type'), 'Point');
export const lines = expression('==', expression('geometry-type'), 'LineString');

/** An area of the base display, which is always shown. Not antialiased, so that there is no gap between areas. */
export function baseFill(sourceLayer: string, color: unknown, filter?: Expression) {
  return layer('fill', `${sourceLayer}-fill`, sourceLayer, {
    filter: filter === undefined ? polygons : all(polygons, filter),
    paint: { 'fill-color': color, 'fill-antialias': false },
  });
}

export function fill(sourceLayer: string, color: unknown, opacity = 1, outline?: string) {
  return layer('fill', `${sourceLayer}-fill`, sourceLayer, {
    filter: scaled(polygons),
    paint: {
      'fill-color': color,
      ...(opacity === 1 ? {} : { 'fill-opacity': opacity }),
      ...(outline === undefined ? { 'fill-antialias': false } : { 'fill-outline-color': outline }),
    },
  });
}

export function pattern(id: string, sourceLayer: string, image: unknown, filter?: Expression) {
  return layer('fill', id, sourceLayer, {
    filter: scaled(filter === undefined ? polygons : all(polygons, filter)),
    paint: { 'fill-pattern': image },
  });
}

/** A pattern of the base display, like `baseFill`. */
export function basePattern(sourceLayer: string, image: string, filter?: Expression) {
  return layer('fill', `${sourceLayer}-pattern`, sourceLayer, {
    filter: filter === undefined ? polygons : all(polygons, filter),
    paint: { 'fill-pattern': image, 'fill-antialias': false },
  });
}

interface Stroke {
  readonly color: unknown;
  readonly width: number | Expression;
  /** In line widths. */
  readonly dash?: readonly number[];
  readonly filter?: Expression;
  readonly base?: boolean;
}

export function line(id: string, sourceLayer: string, stroke: Stroke) {
  const filter = stroke.filter === undefined ? lines : all(lines, stroke.filter);
  return layer('line', id, sourceLayer, {
    filter: stroke.base === true ? filter : scaled(filter),
    layout: { 'line-cap': stroke.dash === undefined ? 'round' : 'butt', 'line-join': 'round' },
    paint: {
      'line-color': stroke.color,
      'line-width': stroke.width,
      ...(stroke.dash === undefined ? {} : { 'line-dasharray': stroke.dash }),
    },
  });
}

/** Icons along a line, for line styles that consist of symbols. */
export function iconsAlong(
  id: string,
  sourceLayer: string,
  image: unknown,
  spacing: number,
  filter?: Expression,
) {
  return layer('symbol', id, sourceLayer, {
    filter: scaled(filter === undefined ? lines : all(lines, filter)),
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': spacing,
      'icon-image': image,
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'icon-padding': 0,
    },
  });
}

export interface Mark extends Parts {
  readonly image?: unknown;
  readonly rotate?: Expression | number;
  /** Whether SCAMIN is ignored. */
  readonly base?: boolean;
  /** Whether texts of layers below must not cover it. */
  readonly isObstacle?: boolean;
}

/** A symbol at a point. It is never omitted because of a label. */
export function icon(id: string, sourceLayer: string, mark: Mark = {}) {
  const filter = mark.filter === undefined ? points : all(points, mark.filter);
  return layer('symbol', id, sourceLayer, {
    filter: mark.base === true ? filter : scaled(filter),
    layout: {
      'icon-image': mark.image ?? get('sy'),
      ...(mark.rotate === undefined
        ? {}
        : { 'icon-rotate': mark.rotate, 'icon-rotation-alignment': 'map' }),
      'icon-allow-overlap': true,
      'icon-ignore-placement': mark.isObstacle !== true,
      'icon-padding': 0,
      ...mark.layout,
    },
    paint: { ...(mark.base === true ? {} : { 'icon-opacity': fadeIn() }), ...mark.paint },
    ...(mark.minzoom === undefined ? {} : { minzoom: mark.minzoom }),
  });
}

/**
 * Whether the scale is near that of the feature's chart. Many charts give no SCAMIN to clearances and names of
 * harbour works, which are useless at small scales. By usage band (`bn`, S-57 INTU): coastal charts from zoom 7,
 * approach charts from 9, harbour charts from 10.
 */
export const IS_NEAR_SCALE: Expression = expression(
  '>=',
  expression('zoom'),
  expression('match', expression('coalesce', get('bn'), 0), [0, 1, 2], 0, 3, 7, 4, 9, 10),
);

/** From this zoom, marks and channel quarters have their full names. */
const FULL_NAME_ZOOM = 15;

/**
 * The name of a mark or a channel quarter, at small scales only its number or letters.
 * @param number the number or letters of those that have them
 */
export function shortName(
  options: StyleOptions,
  written: (name: Expression) => Expression,
  number = get('no'),
): Expression {
  const name = get('nm');
  const short = either(
    isSet(options, 'fullNames'),
    name,
    expression('case', has('no'), number, name),
  );
  return expression('step', ['zoom'], written(short), FULL_NAME_ZOOM, written(name));
}

export interface Label extends Parts {
  readonly text: unknown;
  readonly size: unknown;
  readonly font: Fonts['regular'];
  readonly color: unknown;
  readonly halo: string;
  /** Opacity when it is in scale. Default: 1. */
  readonly opacity?: number;
}

/** A text. It fades in with its symbol between whole zooms. */
export function label(id: string, sourceLayer: string, made: Label) {
  return layer('symbol', id, sourceLayer, {
    filter: scaled(made.filter),
    ...(made.minzoom === undefined ? {} : { minzoom: made.minzoom }),
    layout: {
      'text-field': made.text,
      'text-font': made.font,
      'text-size': made.size,
      'text-padding': 1,
      ...made.layout,
    },
    paint: {
      'text-color': made.color,
      'text-halo-color': made.halo,
      'text-halo-width': 1.25,
      'text-opacity': fadeIn(made.opacity),
      // An icon that is part of a text, such as the line under a drying height, fades in with the text.
      ...(made.layout?.['icon-image'] === undefined
        ? {}
        : { 'icon-opacity': fadeIn(made.opacity) }),
      ...made.paint,
    },
  });
}

/** A layer that is in the document but hidden if the condition is false, so that clients can show it. */
export function hiddenUnless(shown: Condition, layer: LayerSpecification): LayerSpecification {
  if (shown === true) return layer;
  const visibility = either(shown, 'visible', 'none');
  return { ...layer, layout: { ...layer.layout, visibility } } as LayerSpecification;
}
