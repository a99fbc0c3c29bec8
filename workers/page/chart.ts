// The chart page: a map over the service's own tiles, opened with the token in the URL fragment,
// which browsers do not send to servers.

import { Map as ChartMap, NavigationControl, ScaleControl, setWorkerUrl } from 'maplibre-gl';
import { plainStyle } from './plain-style.ts';

setWorkerUrl('/page/maplibre-gl-worker.mjs');

const fragment = new URLSearchParams(location.hash.slice(1));
const token = fragment.get('token') ?? '';
const [zoom, latitude, longitude] = (fragment.get('at') ?? '').split('/').map(Number);

const tileJson = await fetch(`/api/v2/tiles/enc-v2.json?token=${encodeURIComponent(token)}`);
const { bounds } = (await tileJson.json()) as { bounds?: [number, number, number, number] };

const map = new ChartMap({
  container: 'map',
  style: plainStyle(location.origin, token),
  ...(zoom !== undefined && latitude !== undefined && longitude !== undefined
    ? { zoom, center: [longitude, latitude] }
    : bounds !== undefined
      ? { bounds }
      : {}),
});
map.addControl(new NavigationControl());
map.addControl(new ScaleControl({ unit: 'nautical' }));
Object.assign(globalThis, { chartMap: map });
