import { Map as ChartMap, NavigationControl } from '@vis.gl/react-maplibre';
import * as maplibre from 'maplibre-gl';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';

// With Vite, MapLibre needs the URL of its worker.
maplibre.setWorkerUrl(workerUrl);

function Chart() {
  const [depthLimit, setDepthLimit] = useState(5);
  return (
    <>
      <ChartMap
        mapLib={maplibre}
        mapStyle={`ADDRESS/api/v1/styles/base.json?depthLimit=${depthLimit}&token=TOKEN`}
        initialViewState={{ longitude: -19.99, latitude: -29.99, zoom: 12 }}
      >
        <NavigationControl />
      </ChartMap>
      <label>
        Safety depth, metres{' '}
        <input
          type="number"
          defaultValue={depthLimit}
          min={0}
          max={12000}
          step="any"
          onChange={({ target }) =>
            target.validity.valid && target.value !== '' && setDepthLimit(target.valueAsNumber)
          }
        />
      </label>
    </>
  );
}

createRoot(document.getElementById('map')).render(<Chart />);
