// The list below the search field: the popup of a combobox (WAI-ARIA Authoring Practices 1.2, combobox
// with list autocomplete). The focus stays in the field; aria-activedescendant names the active option.

import { rhumbBetween } from '../../../shared/geo/rhumb.ts';
import { element } from '../client/chart/elements.ts';
import { courseText } from './parts/course-text.ts';
import { milesText } from './parts/miles-text.ts';
import type { FoundName } from './search-names.ts';

type Position = FoundName['position'];

interface NameList {
  isOpen(): boolean;
  /** Shows names, or closes the list if there are no names. @param middle origin of distances and courses */
  show(names: readonly FoundName[], middle: Position): void;
  close(): void;
  /** Activates the next or previous name, and wraps around. */
  move(by: 1 | -1): void;
  /** The active name, or the first. */
  selected(): FoundName | undefined;
}

/** @param choose called with the clicked name and the pointer type (`mouse`, `touch`, `pen`) */
export function openNameList(
  field: HTMLInputElement,
  list: HTMLElement,
  choose: (name: FoundName, pointer: string) => void,
): NameList {
  let shown: readonly FoundName[] = [];
  let at = -1;
  const mean = (index: number) => {
    at = index;
    Array.from(list.children).forEach((option, i) => {
      option.setAttribute('aria-selected', String(i === at));
      if (i === at) option.scrollIntoView({ block: 'nearest' });
    });
    const id = list.children[at]?.id;
    if (id === undefined) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', id);
  };
  const show = (names: readonly FoundName[], middle: Position) => {
    shown = names;
    list.replaceChildren(
      ...names.map((name, i) => {
        const option = optionOf(name, middle);
        option.id = `${list.id}-${i}`;
        return option;
      }),
    );
    list.hidden = names.length === 0;
    list.scrollTop = 0;
    field.setAttribute('aria-expanded', String(!list.hidden));
    mean(-1);
  };
  // Keep the focus in the field.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const pressed = (event.target as Element).closest('[role=option]');
    const name = shown[Array.from(list.children).indexOf(pressed as Element)];
    if (name !== undefined) choose(name, (event as PointerEvent).pointerType);
  });
  return {
    isOpen: () => !list.hidden,
    show,
    close: () => show([], { longitude: 0, latitude: 0 }),
    move: (by) => {
      const from = at < 0 && by < 0 ? shown.length : at;
      mean((from + by + shown.length) % shown.length);
    },
    selected: () => shown[Math.max(at, 0)],
  };
}

function optionOf(found: FoundName, middle: Position): HTMLElement {
  const { name, nationalName, objectClassName } = found;
  const option = document.createElement('div');
  option.setAttribute('role', 'option');
  const fact = objectClassName === undefined ? [] : [element('span', objectClassName), ' · '];
  option.append(
    element('strong', nationalName === undefined ? name : `${name} (${nationalName})`),
    // Separates the two lines for screen readers.
    ' ',
    ...fact,
    element('span', whereText(middle, found.position)),
  );
  return option;
}

/** Distance and course: `2.31 NM, 045° T`. */
export function whereText(from: Position, to: Position): string {
  const line = rhumbBetween(from.longitude, from.latitude, to.longitude, to.latitude);
  const miles = milesText(line.meters);
  return miles === milesText(0) ? 'at the centre' : `${miles}, ${courseText(line.course)}`;
}
