import '@leadline/client/chart/define';
import { setWorkerUrl } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';

setWorkerUrl(workerUrl);

// Attributes change the chart. Events report what the user does.
const chart = document.querySelector('leadline-chart');
chart.addEventListener('leadline-pick', ({ detail }) => {
  document.title = detail.results.map(({ extras }) => extras.title).join(', ');
});
