// The panel of the route tool: waypoints as text, the vessel, and the planned route.

import { button, closer, element } from '../client/chart/elements.ts';
import { depthText } from './depth-text.ts';
import { parsePosition, positionText } from './parts/coordinates.ts';
import { buttons } from './parts/elements.ts';
import { keepFocus } from './parts/keep-focus.ts';
import { milesText } from './parts/miles-text.ts';
import type { RouteAnswer, RouteFailure, RouteFound } from './route-request.ts';
import type { Waypoint } from './route-waypoints.ts';

interface PanelHandlers {
  close(): void;
  addMiddle(): void;
  reverse(): void;
  clear(): void;
  exportGpx(): void;
  move(id: number, longitude: number, latitude: number): void;
  remove(id: number): void;
  /** Moves a waypoint to the nearest safe point. */
  useNearest(failure: RouteFailure): void;
  /** Centres the chart on a position. */
  show(position: readonly [number, number]): void;
  units(): string;
}

interface RoutePanel {
  readonly vesselForm: HTMLFormElement;
  waypoints(waypoints: readonly Waypoint[]): void;
  /** Shows a result or state, or nothing if `undefined`. */
  result(result: RouteAnswer | 'asking' | { readonly problem: string } | undefined): void;
}

export function openRoutePanel(panel: HTMLElement, handlers: PanelHandlers): RoutePanel {
  const list = document.createElement('ol');
  const vesselForm = document.createElement('form');
  const result = document.createElement('div');
  result.setAttribute('role', 'status');
  const gpx = button('Export GPX', handlers.exportGpx);
  const reverse = button('Reverse', handlers.reverse);
  const clear = button('Clear', () => keepFocus(handlers.clear, () => add));
  const add = button('Add a waypoint at the centre', handlers.addMiddle);
  const rows = new Map<number, HTMLInputElement>();
  panel.replaceChildren(
    closer('Close the route tool', handlers.close),
    element('h2', 'Route'),
    vesselForm,
    element(
      'p',
      'Click the chart to add a waypoint, or a leg to insert one. Drag a waypoint to move it.',
    ),
    list,
    buttons(add, reverse, clear),
    result,
    buttons(gpx),
    element('p', 'Not for navigation'),
  );
  panel.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') handlers.close();
  });

  const rowFor = ({ id }: Waypoint): HTMLInputElement => {
    const row = document.createElement('li');
    const input = document.createElement('input');
    input.autocomplete = 'off';
    input.addEventListener('change', () => {
      const position = parsePosition(input.value);
      input.setCustomValidity(
        position === undefined ? 'Enter a position, for example 59 36.2N 151 25.5W' : '',
      );
      if (position === undefined) input.reportValidity();
      else handlers.move(id, position.longitude, position.latitude);
    });
    const remover = button('×', () => {
      const next = row.nextElementSibling?.querySelector('button') ?? add;
      keepFocus(
        () => handlers.remove(id),
        () => next,
      );
    });
    row.append(input, remover);
    list.append(row);
    return input;
  };

  return {
    vesselForm,
    waypoints: (waypoints) => {
      const wanted = new Set(waypoints.map(({ id }) => id));
      for (const [id, input] of rows) {
        if (wanted.has(id)) continue;
        input.parentElement?.remove();
        rows.delete(id);
      }
      waypoints.forEach((waypoint, i) => {
        const input = rows.get(waypoint.id) ?? rowFor(waypoint);
        rows.set(waypoint.id, input);
        const row = input.parentElement!;
        // Moving a row would remove the keyboard focus from it.
        if (list.children[i] !== row) list.insertBefore(row, list.children[i] ?? null);
        const text = positionText(waypoint.latitude, waypoint.longitude);
        if (input.dataset['shown'] !== text) {
          // Only if it moved: the user may be typing when a response arrives.
          input.dataset['shown'] = text;
          input.value = text;
          input.setCustomValidity('');
        }
        input.setAttribute('aria-label', `Waypoint ${i + 1}`);
        row.querySelector('button')!.setAttribute('aria-label', `Remove waypoint ${i + 1}`);
      });
      reverse.disabled = waypoints.length < 2;
      clear.disabled = waypoints.length === 0;
    },
    result: (answer) => {
      gpx.disabled = !isFound(answer);
      const useNearest = (failure: RouteFailure) =>
        keepFocus(
          () => handlers.useNearest(failure),
          () => add,
        );
      result.replaceChildren(...wordsFor(answer, { ...handlers, useNearest }));
    },
  };
}

type Result = Parameters<RoutePanel['result']>[0];

const isFound = (result: Result): result is RouteFound =>
  typeof result === 'object' && 'success' in result && result.success;

function wordsFor(result: Result, handlers: PanelHandlers): Node[] {
  if (result === undefined) return [];
  if (result === 'asking') return [element('p', 'Planning…')];
  if ('problem' in result) return [element('p', result.problem)];
  if (!result.success) return result.failures.map((failure) => failureNote(failure, handlers));
  const list = document.createElement('ul');
  // Warnings with a position come first.
  const placed = result.warnings.filter(({ position }) => position !== null);
  const general = result.warnings.filter(({ position }) => position === null);
  for (const warning of [...placed, ...general]) {
    const { position } = warning;
    const words = wordsOf(warning);
    const row = document.createElement('li');
    row.append(
      position === null ? element('span', words) : button(words, () => handlers.show(position)),
    );
    list.append(row);
  }
  return [
    element('p', summaryOf(result, handlers.units())),
    element('p', constraintsOf(result, handlers.units())),
    list,
  ];
}

/** The message of a failure, with a button if there is a safe point nearby. */
function failureNote(failure: RouteFailure, handlers: PanelHandlers): HTMLElement {
  const note = document.createElement('div');
  note.className = 'failure';
  note.append(element('p', wordsOf(failure)));
  if (failure.waypoint !== null && failure.nearest !== null) {
    note.append(button('Use the nearest safe point', () => handlers.useNearest(failure)));
  }
  return note;
}

/** Returns the message without its leading code and the names of request fields, which are for programs. */
function wordsOf({ code, message }: { readonly code: string; readonly message: string }): string {
  const words = message.startsWith(code)
    ? message.slice(code.length).replace(/^[\s:·–-]+/, '')
    : message;
  const plain = words.replace(/ \(`[^)]*\)/g, '');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function summaryOf({ distance, duration, legs, warnings }: RouteFound, units: string): string {
  // Water of unknown depth can be shallower than any charted depth.
  const isKnown = warnings.every(({ code }) => code !== 'UNKNOWN_DEPTH');
  const depths = isKnown ? legs.flatMap(({ minDepth }) => minDepth ?? []) : [];
  const parts = [
    milesText(distance),
    ...(duration === undefined ? [] : [timeText(duration)]),
    ...(depths.length === 0 ? [] : [`least depth ${depthText(Math.min(...depths), units)}`]),
  ];
  return parts.join(' · ');
}

/** Describes the constraints that the route satisfies. */
function constraintsOf({ constraints }: RouteFound, units: string): string {
  const { requiredDepth, requiredClearance, safety } = constraints;
  const parts = [
    `${depthText(requiredDepth, units)} water depth`,
    ...(requiredClearance === null ? [] : [`${requiredClearance} m vertical clearance`]),
    `${safety.lateralClearance} m distance from dangers`,
  ];
  return `Planned for at least ${parts.join(', ')}.`;
}

function timeText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}
