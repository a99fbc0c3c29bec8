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

/**
 * Fills a `details` element and keeps it up to date while it is open.
 *
 * @returns `redraw` shows the height in the chosen unit
 */
export function openTide(
  map: ChartMap,
  fold: HTMLDetailsElement,
  ask: AskWaterLevel,
  units: () => string,
): { redraw(): void } {
  const place = document.createElement('div');
  place.setAttribute('role', 'status');
  // Not a part of the status, whose lines are replaced: it can be open and have the focus.
  const sources = element('details');
  const attribution = element('p');
  sources.append(element('summary', 'Sources of the stations'), attribution);
  fold.append(place, sources);
  let pause: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  let answer: WaterLevel | Error | undefined;
  const redraw = () => {
    const level = answer instanceof Error ? undefined : answer;
    const lines = answer instanceof Error ? [noLevelText(answer, units())] : ['Loading…'];
    const shown = level === undefined ? lines : linesOf(level, units());
    place.replaceChildren(...shown.map((line) => element('p', line)));
    sources.hidden = level === undefined;
    // The attribution is long.
    attribution.textContent = level?.attribution ?? '';
  };
  const show = async () => {
    const mine = ++asked;
    const { lng, lat } = map.getCenter().wrap();
    const next = await ask({ longitude: lng, latitude: lat }).catch((error: Error) => error);
    if (mine !== asked) return;
    answer = next;
    redraw();
  };
  const later = () => {
    clearTimeout(pause);
    // The height of another place must not remain, and not arrive later.
    asked++;
    answer = undefined;
    redraw();
    if (fold.open) pause = setTimeout(() => void show(), PAUSE_MS);
  };
  redraw();
  fold.addEventListener('toggle', later);
  map.on('moveend', later);
  setInterval(() => void (fold.open && show()), REFRESH_MS);
  return { redraw };
}

function linesOf(level: WaterLevel, units: string): string[] {
  const { height, error, datum, next, station, distance, notice } = level;
  const turns = next.map(
    (turn) =>
      `${turn.isHigh ? 'High' : 'Low'} water ${chosenDepthText(turn.height, units)} on ${timeText(turn.time)}`,
  );
  return [
    `Now ${chosenDepthText(height, units)} above ${datum}, ± ${chosenDepthText(error, units)}, at the centre of the chart`,
    ...(turns.length === 0 ? [] : [turns.join(', then ')]),
    `${station.name}, ${(distance / 1000).toFixed(1)} km away`,
    notice,
  ];
}

/** The reason why there is no height. */
export function noLevelText(error: Error, units: string): string {
  const range = error instanceof NotFoundError ? error.problem.expectedRange : undefined;
  if (range === undefined) return error.message;
  return `No tide station is near. Expect a range of the tide of ${chosenDepthText(Number(range), units)}.`;
}

/** The day, hour and minute of the user, with their time zone. */
const timeText = (ms: number): string =>
  new Date(ms).toLocaleTimeString([], {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
