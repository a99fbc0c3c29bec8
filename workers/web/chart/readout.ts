// The readout: position, charted depth and chart scale under the cursor, zoom, and the safety contour in
// view.

import type { Map as ChartMap, MapMouseEvent } from 'maplibre-gl';
import { depthText, inUnits } from './depth-text.ts';
import { positionText } from './parts/coordinates.ts';
import { safetyText } from './safety-text.ts';
import { scaleText } from './scale-text.ts';

const CHART_LAYER = 'coverage-fill';
const DEPTH_LAYERS = ['DEPARE-fill', 'DRGARE-fill'];
const SAFETY_LAYERS = ['DEPEDGE-safety', 'DEPEDGE-safety-low'];

/** Functions that return the current display choices. */
interface ReadoutChoices {
  readonly units: () => string;
  /** Safety depth, in metres. */
  readonly depthLimit: () => number;
}

/** Keeps the readout up to date. On touch screens it describes the centre of the chart. */
export function showReadout(map: ChartMap, target: HTMLElement, chosen: ReadoutChoices): void {
  /** Updated only on `idle`, because it queries all drawn features. */
  let safety = '';
  let last = () => middle();
  const tell = (latitude: number, longitude: number, x: number, y: number) => {
    last = () => tell(latitude, longitude, x, y);
    const depth = depthAt(map, x, y, chosen.units());
    const chart = chartAt(map, x, y, latitude);
    const zoom = map.getZoom().toFixed(1);
    target.textContent = `${positionText(latitude, longitude)}${depth}${chart} · zoom ${zoom}${safety}`;
  };
  const middle = () => {
    const { lat, lng } = map.getCenter();
    const { width, height } = map.getCanvas().getBoundingClientRect();
    tell(lat, lng, width / 2, height / 2);
  };
  map.on('mousemove', ({ lngLat, point }: MapMouseEvent) => {
    tell(lngLat.lat, lngLat.lng, point.x, point.y);
  });
  map.on('moveend', middle);
  // The units may have changed, or tiles may have loaded.
  map.on('idle', () => {
    const text = safetyText(safetyContours(map), chosen.depthLimit(), chosen.units());
    safety = text === '' ? '' : ` · ${text}`;
    last();
  });
}

/** Compilation scale of the chart at a screen position, and the overscale factor. */
function chartAt(map: ChartMap, x: number, y: number, latitude: number): string {
  if (map.getLayer(CHART_LAYER) === undefined) return '';
  const [found] = map.queryRenderedFeatures([x, y], { layers: [CHART_LAYER] });
  const scale = Number(found?.properties['cscl']);
  if (!Number.isFinite(scale) || scale <= 0) return ' · no chart here';
  return ` · ${scaleText(scale, map.getZoom(), latitude)}`;
}

/** Depths of the safety contours in view. */
function safetyContours(map: ChartMap): readonly number[] {
  const layers = SAFETY_LAYERS.filter((id) => map.getLayer(id) !== undefined);
  const found = layers.length === 0 ? [] : map.queryRenderedFeatures({ layers });
  const depths = new Set(found.map(({ properties }) => Number(properties['d'])));
  return [...depths].filter(Number.isFinite);
}

function depthAt(map: ChartMap, x: number, y: number, units: string): string {
  const layers = DEPTH_LAYERS.filter((id) => map.getLayer(id) !== undefined);
  const [found] = layers.length === 0 ? [] : map.queryRenderedFeatures([x, y], { layers });
  if (found === undefined) return '';
  const from = Number(found.properties['d1']);
  const to = Number(found.properties['d2']);
  if (!Number.isFinite(from)) return '';
  // A dredged area has one depth. In the tiles its `d2` is slightly larger than its `d1`.
  if (to - from < 0.1) return ` · ${depthText(from, units)}`;
  return ` · ${inUnits(from, units)} to ${depthText(to, units)}`;
}
