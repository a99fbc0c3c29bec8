// The pin of a draft report. Drag it to move the draft; click it to open the form.

import { type Map as ChartMap, Marker } from 'maplibre-gl';
import type { Position } from './report.ts';

interface DraftPin {
  /** Shows the pin, or hides it if `at` is `undefined`. */
  show(at: Position | undefined): void;
}

export function openDraftPin(
  map: ChartMap,
  press: () => void,
  moved: (to: Position) => void,
): DraftPin {
  const handle = document.createElement('button');
  handle.type = 'button';
  handle.className = 'draft-pin';
  const marker = new Marker({ element: handle, draggable: true, anchor: 'bottom' });
  let isOnMap = false;
  handle.addEventListener('click', (event) => {
    // Keep the click from the chart.
    event.stopPropagation();
    press();
  });
  marker.on('dragend', () => moved(placeOf(marker.getLngLat().wrap())));
  return {
    show: (at) => {
      if (at !== undefined) marker.setLngLat([at.longitude, at.latitude]);
      if (at !== undefined && !isOnMap) {
        marker.addTo(map);
        // MapLibre gives every marker the same label.
        handle.setAttribute('aria-label', 'The report you are writing');
      }
      if (at === undefined) marker.remove();
      isOnMap = at !== undefined;
    },
  };
}

/** Converts a wrapped `LngLat` to a position. */
export function placeOf({ lat, lng }: { readonly lat: number; readonly lng: number }): Position {
  return { latitude: lat, longitude: lng };
}
