// The live chart of the landing page. `start.ts` loads this after the text is visible.

import { setWorkerUrl } from 'maplibre-gl';
import { LeadlineChart } from '../client/chart/leadline-chart.ts';

setWorkerUrl('/page/maplibre-gl-worker.mjs');
customElements.define('leadline-chart', LeadlineChart);

const figure = document.querySelector<HTMLElement>('#demo')!;
const chart = new LeadlineChart();
chart.token = figure.dataset['token']!;
if (matchMedia('(prefers-color-scheme: dark)').matches) {
  chart.theme = 'dusk';
  // The colours of the controls of the chart.
  document.body.dataset['theme'] = 'dusk';
}
chart.pick = true;
chart.controls = true;
chart.addEventListener(
  'leadline-ready',
  ({ detail: { map } }) => {
    // A wheel or one finger scrolls the page.
    map.cooperativeGestures.enable();
    map.once('idle', () => {
      picture.remove();
      figure.querySelector('figcaption')!.textContent =
        'A live chart of this service. Select a buoy, a light or a depth to read its description.';
    });
  },
  { once: true },
);
// The picture covers the chart until it is drawn, and stays if it cannot be drawn.
chart.addEventListener('leadline-error', ({ detail: { topic } }) => {
  if (topic === 'chart' && picture.isConnected) chart.remove();
});
const picture = figure.querySelector('img')!;
picture.before(chart);
