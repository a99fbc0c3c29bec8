import { createClient } from '@leadline/client';
import { MapLibreMap, Popup, setWorkerUrl } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';

setWorkerUrl(workerUrl);

const leadline = createClient({ address: 'ADDRESS', token: 'TOKEN' });

const map = new MapLibreMap({
  container: 'map',
  style: leadline.charts.styleUrl({ theme: 'dusk', depthLimit: 5 }),
  center: [-19.99, -29.99],
  zoom: 12,
});

// Show the objects at the click.
map.on('click', async ({ lngLat }) => {
  const { results } = await leadline.charts.featuresNear(
    {
      position: { longitude: lngLat.lng, latitude: lngLat.lat },
      radius: 100,
      zoom: map.getZoom(),
    },
    { extras: true },
  );
  const titles = results.map(({ extras }) => extras.title);
  new Popup().setLngLat(lngLat).setText(titles.join(', ')).addTo(map);
});
