// The height of the tide at the centre of the chart. It is requested only while its part of the panel is open.

import type { Map as ChartMap } from 'maplibre-gl';
import { element } from '../client/chart/elements.ts';
import { NotFoundError } from '../client/errors.ts';
import type { WaterLevel } from '../client/wire.ts';
import { chosenDepthText } from './depth-text.ts';

/** @throws LeadlineError. @param time epoch milliseconds; by default now */
export type AskWaterLevel = (
  position: { readonly longitude: number; readonly latitude: number },
  time?: number,
) => Promise<WaterLevel>;

/** Time without a move of the chart before a request. */
const PAUSE_MS = 400;
const REFRESH_MS = 300_000;

/** Fills a `details` element and keeps it up to date while it is open. */
export function openTide(
  map: ChartMap,
  fold: HTMLDetailsElement,
  ask: AskWaterLevel,
  units: () => string,
): void {
  const place = document.createElement('div');
  place.setAttribute('role', 'status');
  fold.append(place);
  let pause: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const show = async () => {
    const mine = ++asked;
    const { lng, lat } = map.getCenter().wrap();
    const lines = await ask({ longitude: lng, latitude: lat }).then(
      (level) => [...linesOf(level, units()).map((line) => element('p', line)), sourcesOf(level)],
      (error: Error) => [element('p', noLevelText(error, units()))],
    );
    if (mine === asked) place.replaceChildren(...lines);
  };
  const later = () => {
    clearTimeout(pause);
    // The height of another place or time must not remain, and not arrive later.
    asked++;
    place.replaceChildren(...(fold.open ? [element('p', 'Loading…')] : []));
    if (fold.open) pause = setTimeout(() => void show(), PAUSE_MS);
  };
  fold.addEventListener('toggle', later);
  map.on('moveend', later);
  setInterval(later, REFRESH_MS);
}

function linesOf(level: WaterLevel, units: string): string[] {
  const { height, error, datum, next, station, distance, notice } = level;
  const turns = next.map(
    (turn) =>
      `${turn.isHigh ? 'High' : 'Low'} water ${chosenDepthText(turn.height, units)} at ${timeText(turn.time)}`,
  );
  return [
    `Now ${chosenDepthText(height, units)} above ${datum}, ± ${chosenDepthText(error, units)}, at the centre of the chart`,
    ...(turns.length === 0 ? [] : [turns.join(', then ')]),
    `${station.name}, ${(distance / 1000).toFixed(1)} km away`,
    notice,
  ];
}

/** The attribution, which is long. */
function sourcesOf({ attribution }: WaterLevel): HTMLElement {
  const sources = document.createElement('details');
  sources.append(element('summary', 'Sources of the stations'), element('p', attribution));
  return sources;
}

/** The reason why there is no height. */
export function noLevelText(error: Error, units: string): string {
  const range = error instanceof NotFoundError ? error.problem.expectedRange : undefined;
  if (range === undefined) return error.message;
  return `No tide station is near. Expect a range of the tide of ${chosenDepthText(Number(range), units)}.`;
}

/** The hour and minute of the user. */
const timeText = (ms: number): string =>
  new Date(ms).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
