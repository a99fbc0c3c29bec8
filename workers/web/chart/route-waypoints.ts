// Numbered handles for waypoints on the chart. Drag or use the arrow keys to move one; Delete removes it.

import { type Map as ChartMap, Marker } from 'maplibre-gl';
import { positionText } from './parts/coordinates.ts';
import { keepFocus } from './parts/keep-focus.ts';

export interface Waypoint {
  readonly id: number;
  readonly longitude: number;
  readonly latitude: number;
}

interface WaypointHandlers {
  move(id: number, longitude: number, latitude: number): void;
  remove(id: number): void;
}

const STEP_PIXELS = 12;
const FINE_STEP_PIXELS = 1;
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** @returns a function that shows exactly these waypoints and marks those with an index in `atFault` */
export function openHandles(
  map: ChartMap,
  handlers: WaypointHandlers,
): (waypoints: readonly Waypoint[], atFault: ReadonlySet<number>) => void {
  const handles = new Map<number, Marker>();
  const make = (id: number): Marker => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'waypoint';
    const marker = new Marker({ element: button, draggable: true });
    const reportMove = () => {
      const { lng, lat } = marker.getLngLat();
      handlers.move(id, lng, lat);
    };
    marker.on('dragend', reportMove);
    button.addEventListener('keydown', (event) => {
      const step = STEPS[event.key];
      if (step === undefined && event.key !== 'Delete') return;
      // Otherwise the key would also move the chart.
      event.preventDefault();
      event.stopPropagation();
      if (step === undefined) {
        keepFocus(
          () => handlers.remove(id),
          () => {
            const others = Array.from(handles.values(), (one) => one.getElement());
            const next = others.find(({ textContent }) => textContent === button.textContent);
            return next ?? others.at(-1) ?? map.getCanvas();
          },
        );
        return;
      }
      const pixels = event.shiftKey ? FINE_STEP_PIXELS : STEP_PIXELS;
      const at = map.project(marker.getLngLat());
      marker.setLngLat(map.unproject([at.x + step[0] * pixels, at.y + step[1] * pixels]));
      reportMove();
    });
    handles.set(id, marker);
    return marker;
  };
  return (waypoints, atFault) => {
    const wanted = new Set(waypoints.map(({ id }) => id));
    for (const [id, marker] of handles) {
      if (wanted.has(id)) continue;
      marker.remove();
      handles.delete(id);
    }
    waypoints.forEach(({ id, longitude, latitude }, i) => {
      const known = handles.get(id);
      const marker = known ?? make(id);
      marker.setLngLat([longitude, latitude]);
      if (known === undefined) marker.addTo(map);
      const button = marker.getElement();
      button.textContent = String(i + 1);
      button.classList.toggle('at-fault', atFault.has(i));
      button.setAttribute(
        'aria-label',
        `Waypoint ${i + 1}, ${positionText(latitude, longitude)}. Arrow keys move it, Delete removes it.`,
      );
    });
  };
}
