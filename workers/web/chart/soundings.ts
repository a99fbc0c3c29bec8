// The user's own soundings on the chart, coloured by density or depth. They are fetched when the chart
// moves, and only while they are shown.

import type {
  Map as ChartMap,
  ExpressionSpecification,
  GeoJSONSource,
  LayerSpecification,
} from 'maplibre-gl';
import { boxOf } from '../client/chart/box.ts';
import { element } from '../client/chart/elements.ts';
import { styleOf } from '../client/chart/style-of.ts';
import { wordsOf } from '../client/chart/words.ts';
import type { Client } from '../client/client.ts';
import type { SoundingCollection } from '../client/wire.ts';
import { digitsOf, unitsPerMeter } from './depth-text.ts';

const SOURCE = 'own-soundings';
/** From this zoom, depths are written next to the points. */
const LABELS_FROM_ZOOM = 12;

const WAYS = { none: 'Nothing', density: 'Density', depth: 'Depth' } as const;
type Way = keyof typeof WAYS;

const NOTHING: SoundingCollection = { type: 'FeatureCollection', features: [] };

/** Fills a `details` element with the choice and keeps the chart up to date. */
export function openSoundings(
  map: ChartMap,
  fold: HTMLElement,
  soundings: Client['soundings'],
  unitsOf: () => string,
): void {
  let way: Way = 'none';
  let shown = NOTHING;
  let asking = new AbortController();
  const status = element('output');
  const draw = () => drawSoundings(map, shown, way, unitsOf());
  const refresh = async () => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    if (way === 'none') shown = NOTHING;
    else {
      try {
        const { west, south, east, north } = boxOf(map, 0);
        const zoom = Math.max(0, map.getZoom());
        const answer = await soundings.inBox([west, south, east, north], zoom, { signal });
        if (signal.aborted) return;
        shown = answer;
        status.textContent = summaryOf(answer);
      } catch (error) {
        if (signal.aborted) return;
        shown = NOTHING;
        status.textContent = wordsOf('The soundings could not be loaded', error);
      }
    }
    draw();
  };
  const choice = element('select');
  for (const [value, text] of Object.entries(WAYS)) {
    const option = element('option', text);
    option.value = value;
    choice.append(option);
  }
  choice.addEventListener('change', () => {
    way = choice.value as Way;
    status.textContent = '';
    void refresh();
  });
  const label = element('label', 'Show ');
  label.append(choice);
  fold.append(label, status);
  map.on('moveend', () => void (way !== 'none' && refresh()));
  // A new style removes added sources and layers.
  map.on('styledata', draw);
}

function summaryOf({ features, truncation }: SoundingCollection): string {
  const total = features.reduce((sum, { properties }) => sum + properties.count, 0);
  if (total === 0) return 'You have no soundings in view.';
  return `${total} in view${truncation === undefined ? '' : ', from your newest tracks only'}.`;
}

/** The current data of each source. `setData` fires `styledata`, which would set the same data again. */
const dataOf = new WeakMap<GeoJSONSource, SoundingCollection>();
const lookOf = new WeakMap<ChartMap, string>();

function drawSoundings(map: ChartMap, shown: SoundingCollection, way: Way, units: string): void {
  const theme = document.body.dataset['theme'] ?? 'day';
  const look = `${way} ${theme} ${units}`;
  let source = map.getSource<GeoJSONSource>(SOURCE);
  if (source === undefined) {
    if (way === 'none' || styleOf(map) === undefined) return;
    map.addSource(SOURCE, { type: 'geojson', data: shown });
    source = map.getSource<GeoJSONSource>(SOURCE)!;
    dataOf.set(source, shown);
    lookOf.delete(map);
  } else if (dataOf.get(source) !== shown) {
    dataOf.set(source, shown);
    source.setData(shown);
  }
  if (lookOf.get(map) === look) return;
  lookOf.set(map, look);
  const layers = layersOf(way, theme, units, fontsOf(map));
  for (const { id } of layersOf('depth', theme, units, [])) {
    if (map.getLayer(id) === undefined || layers.some((layer) => layer.id === id)) continue;
    map.removeLayer(id);
  }
  for (const layer of layers) showLayer(map, layer);
}

/** Updates an existing layer in place: MapLibre may draw a removed and re-added layer incompletely. */
function showLayer(map: ChartMap, layer: LayerSpecification): void {
  if (map.getLayer(layer.id) === undefined) {
    map.addLayer(layer);
    return;
  }
  for (const [name, value] of Object.entries(layer.paint ?? {})) {
    map.setPaintProperty(layer.id, name as never, value as never);
  }
  for (const [name, value] of Object.entries(layer.layout ?? {})) {
    map.setLayoutProperty(layer.id, name as never, value as never);
  }
}

/** The fonts of the chart: glyphs exist only for these. */
function fontsOf(map: ChartMap): readonly string[] {
  for (const layer of styleOf(map)?.layers ?? []) {
    const font = layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined;
    if (Array.isArray(font) && font.every((name) => typeof name === 'string')) {
      return font as string[];
    }
  }
  return [];
}

/** Colours from few to many, or from shallow to deep. They differ from the chart's water colours. */
const RAMPS: Readonly<Record<string, readonly [string, string, string]>> = {
  day: ['#f4b93e', '#e0523d', '#6d1a7a'],
  dusk: ['#a8842f', '#a2453a', '#5c2668'],
  night: ['#4d3d17', '#4a221d', '#331539'],
};
const TEXT: Readonly<Record<string, readonly [text: string, halo: string]>> = {
  day: ['#3d0f45', '#ffffff'],
  dusk: ['#d9c9de', '#10181d'],
  night: ['#7b6a80', '#050709'],
};

function layersOf(
  way: Way,
  theme: string,
  units: string,
  fonts: readonly string[],
): LayerSpecification[] {
  if (way === 'none') return [];
  const [low, middle, high] = RAMPS[theme] ?? RAMPS['day']!;
  const [text, halo] = TEXT[theme] ?? TEXT['day']!;
  const color: ExpressionSpecification =
    way === 'density'
      ? ['interpolate', ['linear'], ['log10', ['get', 'count']], 0, low, 1, middle, 2.5, high]
      : ['interpolate', ['linear'], ['get', 'depth'], 0, low, 10, middle, 50, high];
  const points: LayerSpecification = {
    id: `${SOURCE}-points`,
    source: SOURCE,
    type: 'circle',
    paint: { 'circle-radius': 5, 'circle-color': color, 'circle-opacity': 0.85 },
  };
  if (way === 'density') return [points];
  const labels: LayerSpecification = {
    id: `${SOURCE}-depths`,
    source: SOURCE,
    type: 'symbol',
    minzoom: LABELS_FROM_ZOOM,
    layout: {
      'text-field': depthExpression(units),
      'text-size': 11,
      'text-offset': [0, -1.1],
      ...(fonts.length === 0 ? {} : { 'text-font': [...fonts] }),
    },
    paint: { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1 },
  };
  return [points, labels];
}

/** Formats a depth as in depth-text.ts: rounded down. */
function depthExpression(units: string): ExpressionSpecification {
  const digits = digitsOf(units);
  const steps = unitsPerMeter(units) * 10 ** digits;
  return [
    'number-format',
    ['/', ['floor', ['+', ['*', ['get', 'depth'], steps], 1e-6]], 10 ** digits],
    { 'min-fraction-digits': 0, 'max-fraction-digits': digits },
  ];
}
