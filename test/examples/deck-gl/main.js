import { Deck } from '@deck.gl/core';
import { TileLayer } from '@deck.gl/geo-layers';
import { BitmapLayer } from '@deck.gl/layers';

new Deck({
  parent: document.getElementById('map'),
  initialViewState: { longitude: -19.99, latitude: -29.99, zoom: 12 },
  controller: true,
  layers: [
    new TileLayer({
      data: 'ADDRESS/api/v2/tiles/raster-v1/{z}/{x}/{y}.png?token=TOKEN',
      maxZoom: 22,
      tileSize: 256,
      renderSubLayers: ({ tile, data, ...layer }) => {
        const { west, south, east, north } = tile.bbox;
        return new BitmapLayer({
          ...layer,
          data: null,
          image: data,
          bounds: [west, south, east, north],
        });
      },
    }),
  ],
});
