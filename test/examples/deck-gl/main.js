import { Deck } from '@deck.gl/core';
import { TileLayer } from '@deck.gl/geo-layers';
import { BitmapLayer } from '@deck.gl/layers';

const answer = await fetch('ADDRESS/api/v1/styles/raster.json?token=TOKEN');
const { chart } = (await answer.json()).sources;
document.getElementById('attribution').innerHTML = chart.attribution;

new Deck({
  parent: document.getElementById('map'),
  initialViewState: { longitude: -19.99, latitude: -29.99, zoom: 12 },
  controller: true,
  layers: [
    new TileLayer({
      data: chart.tiles[0],
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
