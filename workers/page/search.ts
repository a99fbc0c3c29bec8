// Going to a position, or to a name that the chart in view shows.

import type { Map as ChartMap, MapGeoJSONFeature } from 'maplibre-gl';
import { parsePosition, positionText } from './parts/coordinates.ts';

export function openSearch(
  map: ChartMap,
  form: HTMLFormElement,
  input: HTMLInputElement,
  result: HTMLOutputElement,
): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === '') return;
    const position = parsePosition(text);
    if (position !== undefined) {
      const { latitude, longitude } = position;
      map.jumpTo({ center: [longitude, latitude], zoom: Math.max(map.getZoom(), 12) });
      result.value = positionText(latitude, longitude);
      return;
    }
    const found = featureNamed(map, text);
    if (found === undefined) {
      result.value = `Nothing here is named “${text}”. Zoom out, or give a position.`;
      return;
    }
    map.jumpTo({ center: found.center, zoom: Math.max(map.getZoom(), 13) });
    result.value = found.name;
  });
}

/** The first feature in view whose name, or whose cell, holds the text. */
function featureNamed(
  map: ChartMap,
  text: string,
): { readonly name: string; readonly center: [number, number] } | undefined {
  const wanted = text.toLowerCase();
  for (const { properties, geometry } of map.queryRenderedFeatures()) {
    const names = [properties['nm'], properties['nn'], properties['cell']];
    const name = names.find((one) =>
      String(one ?? '')
        .toLowerCase()
        .includes(wanted),
    );
    if (name === undefined) continue;
    const center = firstPosition(geometry);
    if (center !== undefined) return { name: String(name), center };
  }
  return undefined;
}

function firstPosition(geometry: MapGeoJSONFeature['geometry']): [number, number] | undefined {
  if (geometry.type === 'GeometryCollection') return undefined;
  let at: unknown = geometry.coordinates;
  while (Array.isArray(at) && Array.isArray(at[0])) at = at[0];
  const [longitude, latitude] = at as readonly number[];
  return longitude === undefined || latitude === undefined ? undefined : [longitude, latitude];
}
