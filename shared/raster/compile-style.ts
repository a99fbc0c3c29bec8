// A style document made ready to be evaluated feature by feature: filters and properties compiled
// once by the style specification's own expression engine.

import {
  featureFilter,
  type LayerSpecification,
  latest,
  normalizePropertyExpression,
  type StylePropertyExpression,
  type StyleSpecification,
} from '@maplibre/maplibre-gl-style-spec';

/** A feature as the expression engine sees it. */
export interface StyledFeature {
  /** 1 point, 2 line, 3 polygon, as in the vector tile specification. */
  readonly type: 1 | 2 | 3;
  readonly properties: Record<string, string | number | boolean>;
}

export interface CompiledLayer {
  readonly id: string;
  readonly type: 'background' | 'fill' | 'line' | 'symbol';
  readonly sourceLayer: string;
  /** Whether the layer draws this feature at this zoom (filters see whole zooms, as in the map). */
  matches(feature: StyledFeature, zoom: number): boolean;
  /** Value of a paint or layout property, or the specification's default. */
  value<T>(property: string, zoom: number, feature?: StyledFeature): T;
}

/** A colour as the engine gives it: premultiplied, 0 to 1. */
export interface EngineColor {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

const DRAWN = ['background', 'fill', 'line', 'symbol'];

/** Layers that draw something, bottom to top. Hidden ones and other sources are left out. */
export function compileStyle(style: StyleSpecification, source: string): CompiledLayer[] {
  return style.layers
    .filter((layer) => DRAWN.includes(layer.type))
    .filter((layer) => !('source' in layer) || layer.source === source)
    .filter((layer) => layer.layout?.visibility !== 'none')
    .map(compileLayer);
}

type Specs = Record<string, Record<string, { default?: unknown }>>;

function compileLayer(layer: LayerSpecification): CompiledLayer {
  const specs = latest as unknown as Specs;
  const compiled = new Map<string, StylePropertyExpression>();
  for (const group of ['paint', 'layout'] as const) {
    const spec = specs[`${group}_${layer.type}`] ?? {};
    const given = (layer[group] ?? {}) as Record<string, unknown>;
    for (const [name, rule] of Object.entries(spec)) {
      if (name === 'visibility') continue;
      const value = given[name] ?? rule.default;
      if (value === undefined) continue;
      compiled.set(
        name,
        normalizePropertyExpression(value as never, `${layer.id}.${name}`, rule as never),
      );
    }
  }
  const filter = featureFilter(
    'filter' in layer ? (layer.filter as never) : undefined,
    `${layer.id}.filter`,
  );
  const minzoom = layer.minzoom ?? 0;
  const maxzoom = layer.maxzoom ?? 24;
  return {
    id: layer.id,
    type: layer.type as CompiledLayer['type'],
    sourceLayer: 'source-layer' in layer ? (layer['source-layer'] ?? '') : '',
    matches: (feature, zoom) =>
      zoom >= minzoom &&
      zoom < maxzoom &&
      filter.filter({ zoom: Math.floor(zoom) }, feature as never),
    value: <T>(property: string, zoom: number, feature?: StyledFeature): T =>
      compiled.get(property)?.evaluate({ zoom }, feature as never) as T,
  };
}
