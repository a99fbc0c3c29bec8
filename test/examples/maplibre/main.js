import { MapLibreMap, setWorkerUrl } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';

// With Vite, MapLibre needs the URL of its worker.
setWorkerUrl(workerUrl);

new MapLibreMap({
  container: 'map',
  style: 'ADDRESS/api/v1/styles/base.json?depthLimit=5&token=TOKEN',
  center: [-19.99, -29.99],
  zoom: 12,
});
