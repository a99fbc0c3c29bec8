// The `vector_layers` of the crowdsourced depths (TileJSON 3.0.0, section 3.3).

import { CROWD_MAX_ZOOM, CROWD_MIN_ZOOM } from './bin.ts';
import { CROWD_ATTRIBUTES, CROWD_LAYER, CROWD_POINT_LAYER } from './bin-layer.ts';

const TEXTS = ['from', 'to'];
const typeOf = (name: string): string => {
  if (TEXTS.includes(name)) return 'String';
  return name === 'reduced' ? 'Boolean' : 'Number';
};

export const CROWD_VECTOR_LAYERS = [
  { id: CROWD_LAYER, description: 'Cells of crowdsourced depths, metres below chart datum' },
  { id: CROWD_POINT_LAYER, description: 'Centres of these cells' },
].map((layer) => ({
  ...layer,
  minzoom: CROWD_MIN_ZOOM,
  maxzoom: CROWD_MAX_ZOOM,
  fields: Object.fromEntries(CROWD_ATTRIBUTES.map((name) => [name, typeOf(name)])),
}));
