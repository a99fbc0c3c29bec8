// The search field: jumps to a position, or to a charted name found while the user types.

import type { Map as ChartMap } from 'maplibre-gl';
import type { ChartsApi } from '../client/charts.ts';
import { parsePosition, positionText } from './parts/coordinates.ts';
import { openNameList } from './search-list.ts';
import { type FoundName, findNames, foundText, limitText } from './search-names.ts';
import { viewOf } from './search-view.ts';

/** Delay between the last key and the search. */
const PAUSE_MS = 250;
/** Minimum number of characters for a search before Enter is pressed. */
const MIN_TYPED = 2;
/** The service finds shorter words only as whole words, so an empty result is not reported for them. */
const WORD_LETTERS = 3;
const PADDING_PIXELS = 40;
const POSITION_ZOOM = 12;
/** Text that may become a position. An empty result is not reported for it. */
const POSITION_BEGUN = /^[\s\d.,;°′″'"nsewdm+-]*\d[\s\d.,;°′″'"nsewdm+-]*$/i;

interface SearchElements {
  readonly form: HTMLFormElement;
  readonly field: HTMLInputElement;
  readonly clear: HTMLButtonElement;
  readonly list: HTMLElement;
  readonly status: HTMLOutputElement;
}

/** @param charts finds names; should have a short timeout, because the user is waiting */
export function openSearch(
  map: ChartMap,
  { form, field, clear, list, status }: SearchElements,
  charts: Pick<ChartsApi, 'findNames'>,
): void {
  let pause: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  /** The text that the list is for, and why the list may be incomplete. */
  let listed = '';
  let limits: string | undefined;
  /** Whether the current search jumps to the first name found. */
  let isGoing = false;

  const typed = () => field.value.trim();
  /** @param isSeen `false` for texts that only screen readers need */
  const say = (text: string, isSeen = true) => {
    status.value = text;
    status.classList.toggle('hidden', !isSeen);
    clear.hidden = field.value === '';
  };
  const stop = () => {
    clearTimeout(pause);
    running?.abort();
    running = undefined;
    isGoing = false;
  };
  const end = (arrivedAt = '') => {
    stop();
    names.close();
    say(arrivedAt, false);
  };
  /** @param failure why only names in view were searched, so that a better match may be elsewhere */
  const goTo = (name: FoundName, failure?: string) => {
    field.value = name.name;
    end(name.name);
    if (failure !== undefined) say(`${name.name}. ${limitText(failure)}`);
    map.jumpTo(
      viewOf(name, map.getZoom(), (bounds, maxZoom) => {
        const camera = map.cameraForBounds(bounds, { padding: PADDING_PIXELS, maxZoom });
        const { center, zoom } = camera ?? {};
        return center === undefined || zoom === undefined ? undefined : { center, zoom };
      }),
    );
  };
  const names = openNameList(field, list, (name, pointer) => {
    goTo(name);
    // Close the on-screen keyboard.
    if (pointer === 'touch') field.blur();
  });

  const search = async (text: string, goes = false) => {
    stop();
    const mine = new AbortController();
    running = mine;
    isGoing = goes;
    if (goes) say('Searching…');
    const found = await findNames(map, charts, text, mine.signal).catch((error: unknown) => {
      if (mine.signal.aborted) return undefined;
      throw error;
    });
    if (found === undefined || mine.signal.aborted) return;
    stop();
    const [first] = found.names;
    if (goes && first !== undefined) {
      goTo(first, found.failure);
      return;
    }
    listed = text;
    limits = found.failure;
    const { lng, lat } = map.getCenter();
    names.show(found.names, { longitude: lng, latitude: lat });
    const isBegun = text.length < WORD_LETTERS || POSITION_BEGUN.test(text);
    say(!goes && first === undefined && isBegun ? '' : foundText(found));
  };

  field.addEventListener('input', () => {
    stop();
    clear.hidden = field.value === '';
    const text = typed();
    if (text.length < MIN_TYPED || parsePosition(text) !== undefined) end();
    else pause = setTimeout(() => void search(text), PAUSE_MS);
  });
  field.addEventListener('keydown', (event) => {
    // Ignore keys that belong to an input method.
    if (event.isComposing) return;
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    if (by !== undefined) {
      event.preventDefault();
      if (names.isOpen()) names.move(by);
      else if (typed() !== '') void search(typed());
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (!names.isOpen()) field.value = '';
    end();
  });
  // Touch users have no arrow keys to open the list again.
  field.addEventListener('click', () => {
    const text = typed();
    const isAsked = names.isOpen() || running !== undefined;
    if (!isAsked && text.length >= MIN_TYPED && parsePosition(text) === undefined) {
      void search(text);
    }
  });
  field.addEventListener('blur', () => {
    if (isGoing) return;
    if (status.classList.contains('hidden')) stop();
    // A visible status would cover the display choices.
    else end();
  });
  clear.addEventListener('click', () => {
    field.value = '';
    end();
    field.focus();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = typed();
    if (text === '') return;
    const position = parsePosition(text);
    if (position !== undefined) {
      const { latitude, longitude } = position;
      end(positionText(latitude, longitude));
      map.jumpTo({ center: [longitude, latitude], zoom: Math.max(map.getZoom(), POSITION_ZOOM) });
      return;
    }
    const selected =
      names.isOpen() && (listed === text || hasChosen()) ? names.selected() : undefined;
    if (selected === undefined) void search(text, true);
    // The status must not depend on whether the list opened before Enter was pressed.
    else goTo(selected, hasChosen() ? undefined : limits);
  });
  const hasChosen = () => field.hasAttribute('aria-activedescendant');
}
