import { createClient } from '@leadline/client';
import { openRegion } from '@leadline/client/region';
import { addProtocol, MapLibreMap, setWorkerUrl } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';

setWorkerUrl(workerUrl);

// Fetched once, part by part, and kept by the browser.
async function downloadRegion(handle) {
  const { regions } = createClient({ address: 'ADDRESS', token: 'TOKEN' });
  const plan = await regions.plan({ bbox: [-20.1, -30.1, -19.9, -29.9], maxZoom: 16 });
  const writer = await handle.createWritable();
  for await (const { bytes } of regions.download(plan)) await writer.write(bytes);
  await writer.close();
}

const folder = await navigator.storage.getDirectory();
const handle = await folder.getFileHandle('region.pmtiles', { create: true });
if ((await handle.getFile()).size === 0) await downloadRegion(handle);

// From here on there is no network.
const region = await openRegion(await handle.getFile());
addProtocol('region', region.protocol);
document.getElementById('notices').textContent = region.note.notices.join(' ');
new MapLibreMap({
  container: 'map',
  style: await region.style('day'),
  center: [-19.99, -29.99],
  zoom: 12,
});
