// Compiles a style's filters and properties with the expression engine of the style specification.

import {
  featureFilter,
  type LayerSpecification,
  latest,
  normalizePropertyExpression,
  type StylePropertyExpression,
  type StyleSpecification,
} from '@maplibre/maplibre-gl-style-spec';

/** A feature as the expression engine expects it: 1 point, 2 line, 3 polygon. */
interface StyledFeature {
  readonly type: 1 | 2 | 3;
  readonly properties: Record<string, string | number | boolean>;
}

export interface CompiledLayer {
  readonly id: string;
  readonly type: 'background' | 'fill' | 'line' | 'symbol';
  readonly sourceLayer: string;
  isShown(zoom: number): boolean;
  /** Whether the layer draws this feature at this integer zoom. */
  matches(feature: StyledFeature, zoom: number): boolean;
  /** Value of a paint or layout property, or the specification's default. */
  value<T>(property: string, zoom: number, feature?: StyledFeature): T;
}

/** A colour of the engine: premultiplied, 0 to 1. */
export interface EngineColor {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

const DRAWN: readonly string[] = ['background', 'fill', 'line', 'symbol'];
const MAX_ZOOM = 24;

/** Visible layers of a source, bottom to top. */
export function compileStyle(style: StyleSpecification, source: string): CompiledLayer[] {
  return style.layers
    .filter((layer) => DRAWN.includes(layer.type))
    .filter((layer) => !('source' in layer) || layer.source === source)
    .filter((layer) => layer.layout?.visibility !== 'none')
    .map(compileLayer);
}

/** Name of an image property. The engine returns constants unchanged and resolves expressions. */
export function imageName(value: string | { readonly name: string } | null | undefined): string {
  return typeof value === 'string' ? value : (value?.name ?? '');
}

interface Property {
  readonly expression: StylePropertyExpression;
  /** Values by zoom that are the same for all features. */
  readonly known: Map<number, unknown>;
}

type Specs = Record<string, Record<string, { default?: unknown }>>;

function compileLayer(layer: LayerSpecification): CompiledLayer {
  const specs = latest as unknown as Specs;
  const properties = new Map<string, Property>();
  for (const group of ['paint', 'layout'] as const) {
    const given = (layer[group] ?? {}) as Record<string, unknown>;
    for (const [name, rule] of Object.entries(specs[`${group}_${layer.type}`] ?? {})) {
      const value = given[name] ?? rule.default;
      if (name === 'visibility' || value === undefined) continue;
      // The engine's types require the specification of each property; here it can be any.
      const expression = normalizePropertyExpression(
        value as never,
        `${layer.id}.${name}`,
        rule as never,
      ) as StylePropertyExpression;
      properties.set(name, { expression, known: new Map() });
    }
  }
  const filter = featureFilter(
    'filter' in layer ? (layer.filter as never) : undefined,
    `${layer.id}.filter`,
  );
  const minzoom = layer.minzoom ?? 0;
  const maxzoom = layer.maxzoom ?? MAX_ZOOM;
  return {
    id: layer.id,
    type: layer.type as CompiledLayer['type'],
    sourceLayer: 'source-layer' in layer ? (layer['source-layer'] ?? '') : '',
    isShown: (zoom) => zoom >= minzoom && zoom < maxzoom,
    matches: (feature, zoom) => filter.filter({ zoom }, feature as never),
    value: <T>(name: string, zoom: number, feature?: StyledFeature): T => {
      const property = properties.get(name);
      return (property === undefined ? undefined : evaluated(property, zoom, feature)) as T;
    },
  };
}

function evaluated(
  { expression, known }: Property,
  zoom: number,
  feature?: StyledFeature,
): unknown {
  if (expression.kind === 'source' || expression.kind === 'composite') {
    return expression.evaluate({ zoom }, feature as never);
  }
  if (!known.has(zoom)) known.set(zoom, expression.evaluate({ zoom }));
  return known.get(zoom);
}
