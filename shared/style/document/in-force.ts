// Filters that show dated objects only from their first to their last day (see shared/chart/in-force.ts).

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { type Days, EARLY_CLASSES, UNDATED_CLASSES } from '../../chart/in-force.ts';
import { SOURCE_LAYERS } from '../../chart/tile-schema.ts';
import { all, type Expression, expression, numberOr } from '../expressions.ts';
import { CHART_SOURCE } from '../layers/layer.ts';

const NEVER = 99_999_999;

/** Source layers whose features may have dates. */
const DATED: ReadonlySet<string> = new Set(
  SOURCE_LAYERS.filter(({ id, group }) => {
    const isOfChart = group !== 'background' && group !== 'coverage';
    return isOfChart && id !== 'DEPEDGE' && !UNDATED_CLASSES.has(id);
  }).map(({ id }) => id),
);

/** Adds the condition that features are in force on these days. */
export function inForce(layers: readonly LayerSpecification[], days: Days): LayerSpecification[] {
  return layers.map((layer) => {
    if (!('source' in layer) || layer.source !== CHART_SOURCE) return layer;
    const sourceLayer = layer['source-layer'] ?? '';
    if (!DATED.has(sourceLayer)) return layer;
    const given = 'filter' in layer && layer.filter !== undefined ? [layer.filter] : [];
    // The filter of the layer comes first, because few features have dates.
    const filter = all(...given, ...conditions(sourceLayer, days));
    return { ...layer, filter } as LayerSpecification;
  });
}

function conditions(sourceLayer: string, { first, last }: Days): readonly Expression[] {
  const isNotOver = expression('>=', numberOr('de', NEVER), first);
  if (EARLY_CLASSES.has(sourceLayer)) return [isNotOver];
  return [isNotOver, expression('<=', numberOr('ds', 0), last)];
}
