// Detects a long press, a right click and the menu key. Each starts a report at a position.

import type { Map as ChartMap, LngLat, MapMouseEvent, MapTouchEvent, Point } from 'maplibre-gl';

const LONG_MS = 550;
/** Maximum delay between `touchend` and the click. */
const CLICK_MS = 500;
/** Maximum movement of a finger during a long press. */
const STILL_PIXELS = 10;

export interface Press {
  /** Whether the current click is the end of a long press. Resets the state. */
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
    // The click comes soon or not at all.
    setTimeout(() => {
      if (!isFingerDown) hasPressed = false;
    }, CLICK_MS);
  };
  map.on('touchend', lift);
  map.on('touchcancel', lift);
  map.on('contextmenu', ({ lngLat, originalEvent }: MapMouseEvent) => {
    originalEvent.preventDefault();
    // Some browsers also fire this event for a long press, which the timer handles.
    if (isFingerDown || hasPressed) return;
    // On macOS, Control and a click have button 0. The menu key has no position: use the centre of the chart.
    const isAtPointer = originalEvent.button === 2 || originalEvent.ctrlKey;
    answer(isAtPointer ? lngLat : map.getCenter());
  });
  return {
    takesClick: () => {
      const isTaken = hasPressed;
      hasPressed = false;
      return isTaken;
    },
  };
}
