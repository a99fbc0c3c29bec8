import { fromLonLat } from 'ol/proj.js';
import { apply } from 'ol-mapbox-style';
import 'ol/ol.css';

const answer = await fetch('ADDRESS/api/v1/styles/base.json?token=TOKEN');
const style = await answer.json();
// OpenLayers leaves out texts near flares, unless flares take no space.
style.layers.find(({ id }) => id === 'LIGHTS-icon').layout['icon-ignore-placement'] = true;
// OpenLayers counts a text larger than MapLibre does, so a name would touch its own symbol.
for (const { layout } of style.layers) {
  if (layout?.['text-variable-anchor']) layout['text-padding'] = -3;
}
const map = await apply('map', style);
map.getView().setCenter(fromLonLat([-19.99, -29.99]));
map.getView().setZoom(13);

// On a slow line the letters come when OpenLayers has given up looking for them.
const drawAgain = async () => {
  await Promise.allSettled(Array.from(document.fonts, (face) => face.load()));
  for (const layer of map.getAllLayers()) layer.changed();
};
document.head.addEventListener('load', drawAgain, true);
