// The place of a report being written: a pin to drag, and to press for the form.

import { type Map as ChartMap, Marker } from 'maplibre-gl';
import type { Position } from './report.ts';

interface DraftPin {
  /** None where it is undefined. */
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
    // The chart below it was not meant.
    event.stopPropagation();
    press();
  });
  marker.on('dragend', () => moved(placeOf(marker.getLngLat().wrap())));
  return {
    show: (at) => {
      if (at !== undefined) marker.setLngLat([at.longitude, at.latitude]);
      if (at !== undefined && !isOnMap) {
        marker.addTo(map);
        // The library names every marker the same.
        handle.setAttribute('aria-label', 'The report you are writing');
      }
      if (at === undefined) marker.remove();
      isOnMap = at !== undefined;
    },
  };
}

/** A place of the map as a position between -180° and 180°. */
export function placeOf({ lat, lng }: { readonly lat: number; readonly lng: number }): Position {
  return { latitude: lat, longitude: lng };
}
