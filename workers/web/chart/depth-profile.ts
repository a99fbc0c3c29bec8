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

interface ProfileView {
  /** Shows the profile of a line, or none with less than two positions. */
  show(line: readonly [longitude: number, latitude: number][]): void;
  /** Shows the profile with the current options. */
  redraw(): void;
}

/** Shows profiles in an element. */
export function openDepthProfile(
  place: HTMLElement,
  { charts, options }: ProfileHandlers,
): ProfileView {
  let redraw = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();
  const ask = async (coordinates: [number, number][], { signal }: AbortController) => {
    try {
      const profile = await charts.depthProfile(
        { geometry: { type: 'LineString', coordinates } },
        { signal },
      );
      if (signal.aborted) return;
      redraw = () => {
        const chosen = options();
        place.replaceChildren(
          profileDiagram(profile, chosen),
          element('p', profileText(profile, chosen.units)),
        );
      };
      redraw();
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof Error ? error.message : '';
      place.replaceChildren(element('p', `The depths along the line are not available. ${reason}`));
    }
  };
  return {
    show: (line) => {
      clearTimeout(timer);
      running.abort();
      running = new AbortController();
      place.replaceChildren();
      redraw = () => {};
      if (line.length < 2) return;
      const mine = running;
      timer = setTimeout(() => void ask([...line], mine), REST_MS);
    },
    redraw: () => redraw(),
  };
}
