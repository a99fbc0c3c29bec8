// Requests the depths along the measured line when it stops changing, and shows them below its legs.

import { element } from '../client/chart/elements.ts';
import type { Client } from '../client/client.ts';
import { type DiagramOptions, profileDiagram, profileText } from './depth-diagram.ts';

/** Delay after the last change, so that a dragged point sends one request. */
const REST_MS = 400;

export interface ProfileHandlers {
  readonly charts: Client['charts'];
  options(): DiagramOptions;
}

/** @returns a function that shows the profile of a line, or none with less than two positions */
export function openDepthProfile(
  place: HTMLElement,
  { charts, options }: ProfileHandlers,
): (line: readonly [longitude: number, latitude: number][]) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();
  const ask = async (coordinates: [number, number][], { signal }: AbortController) => {
    try {
      const profile = await charts.depthProfile(
        { geometry: { type: 'LineString', coordinates } },
        { signal },
      );
      if (signal.aborted) return;
      const chosen = options();
      place.replaceChildren(
        profileDiagram(profile, chosen),
        element('p', profileText(profile, chosen.units)),
      );
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof Error ? error.message : '';
      place.replaceChildren(element('p', `The depths along the line are not available. ${reason}`));
    }
  };
  return (line) => {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
    place.replaceChildren();
    if (line.length < 2) return;
    const mine = running;
    timer = setTimeout(() => void ask([...line], mine), REST_MS);
  };
}
