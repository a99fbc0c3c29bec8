// A long press of a finger, the other mouse button, and the menu key: each asks for a report at a
// place on the chart.

import type { Map as ChartMap, LngLat, MapMouseEvent, MapTouchEvent, Point } from 'maplibre-gl';

const LONG_MS = 550;
/** Within which a lifted finger has clicked. */
const CLICK_MS = 500;
/** A finger is never quite still. */
const STILL_PIXELS = 10;

export interface Press {
  /** Whether the click now coming is the lifting of a finger that pressed long. */
  takesClick(): boolean;
}

export function onPress(map: ChartMap, answer: (at: LngLat) => void): Press {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFingerDown = false;
  let hasPressed = false;
  const cancel = () => clearTimeout(timer);
  let from: Point | undefined;

  map.on('touchstart', ({ points, point, lngLat }: MapTouchEvent) => {
    cancel();
    isFingerDown = true;
    hasPressed = false;
    from = point;
    if (points.length > 1) return;
    timer = setTimeout(() => {
      hasPressed = true;
      answer(lngLat);
    }, LONG_MS);
  });
  map.on('touchmove', ({ point }: MapTouchEvent) => {
    if (from !== undefined && point.dist(from) > STILL_PIXELS) cancel();
  });
  const lift = () => {
    cancel();
    isFingerDown = false;
    // Its click comes at once, or never.
    setTimeout(() => {
      if (!isFingerDown) hasPressed = false;
    }, CLICK_MS);
  };
  map.on('touchend', lift);
  map.on('touchcancel', lift);
  map.on('contextmenu', ({ lngLat, originalEvent }: MapMouseEvent) => {
    originalEvent.preventDefault();
    // Some browsers make this event of a long press, which has been answered, or is about to be.
    if (isFingerDown || hasPressed) return;
    // A key has no place: it means the middle of the chart.
    answer(originalEvent.button === 2 ? lngLat : map.getCenter());
  });
  return {
    takesClick: () => {
      const isTaken = hasPressed;
      hasPressed = false;
      return isTaken;
    },
  };
}
