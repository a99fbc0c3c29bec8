import { fromLonLat } from 'ol/proj.js';
import { apply } from 'ol-mapbox-style';
import 'ol/ol.css';

const answer = await fetch('ADDRESS/api/v1/styles/base.json?token=TOKEN');
const style = await answer.json();
// Light symbols must not reserve space, or OpenLayers omits texts near them.
style.layers.find(({ id }) => id === 'LIGHTS-icon').layout['icon-ignore-placement'] = true;

// ol-mapbox-style ignores `text-variable-anchor`: each place that MapLibre tries becomes a layer.
const towards = (anchor, offset) => {
  if (typeof offset[0] !== 'number') {
    return offset.map((part) => (Array.isArray(part) ? towards(anchor, part) : part));
  }
  const sign = (ahead, behind) => anchor.includes(ahead) - anchor.includes(behind);
  const [x, y] = offset.map(Math.abs);
  return [x * sign('left', 'right'), y * sign('top', 'bottom')];
};
style.layers = style.layers.flatMap((layer) => {
  const { 'text-variable-anchor': anchors, 'icon-image': _, ...layout } = layer.layout ?? {};
  // Land contours are lines, whose texts keep their fixed place.
  if (!anchors || layer['source-layer'] === 'LNDELV') return layer;
  // The last layer is placed first. OpenLayers reserves more space for a text than MapLibre.
  return anchors.toReversed().map((anchor) => {
    const offset = towards(anchor, layout['text-offset']);
    const place = { 'text-anchor': anchor, 'text-offset': offset, 'text-padding': -3 };
    return { ...layer, id: `${layer.id}-${anchor}`, layout: { ...layout, ...place } };
  });
});

const map = await apply('map', style);
map.getView().setCenter(fromLonLat([-19.99, -29.99]));
map.getView().setZoom(13);

// A text that was drawn at one place is not drawn at the next.
for (const layer of map.getAllLayers()) {
  if (!layer.getDeclutter?.()) continue;
  const renderer = layer.getRenderer();
  const { renderDeclutter } = renderer;
  renderer.renderDeclutter = function (frame, ...rest) {
    const tree = frame.declutter[layer.getDeclutter()];
    const { collides } = tree;
    const drawn = new Set();
    tree.collides = function (box) {
      const isPoint = box.value.getType() === 'Point';
      if ((isPoint && drawn.has(box.value)) || collides.call(this, box)) return true;
      if (isPoint) drawn.add(box.value);
      return false;
    };
    renderDeclutter.call(this, frame, ...rest);
  };
}

// On a slow connection, fonts can load after OpenLayers stops waiting for them.
const drawAgain = async () => {
  await Promise.allSettled(Array.from(document.fonts, (face) => face.load()));
  for (const layer of map.getAllLayers()) layer.changed();
};
document.head.addEventListener('load', drawAgain, true);
