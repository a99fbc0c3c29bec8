// The form with the display choices: one control per row of the table in choices.ts.

import { CHOICES, type Choice, type Chosen } from './choices.ts';

/** Fills the form, or a part of one, and calls `changed` after every change. */
export function showChoices(
  form: HTMLElement,
  chosen: Chosen,
  changed: (name: string, value: string) => void,
  choices: readonly Choice[] = CHOICES,
): void {
  form.replaceChildren(...choices.map((choice) => rowFor(choice, chosen, changed)));
  form.addEventListener('submit', (event) => event.preventDefault());
}

function rowFor(
  choice: Choice,
  chosen: Chosen,
  changed: (name: string, value: string) => void,
): HTMLElement {
  const { name, label, kind, otherwise } = choice;
  if (kind === 'several') return groupFor(choice, chosen[name] ?? otherwise, changed);
  const row = document.createElement('label');
  const words = document.createElement('span');
  words.textContent = label;
  const control = controlFor(choice, chosen[name] ?? otherwise);
  control.name = name;
  control.addEventListener('change', () => {
    const isBox = control instanceof HTMLInputElement && kind === 'yes-no';
    const value = isBox ? String(control.checked) : control.value;
    if (control instanceof HTMLInputElement && !control.reportValidity()) return;
    changed(name, value);
  });
  row.append(...(kind === 'yes-no' ? [control, words] : [words, control]));
  return row;
}

/** A check box for each value of a choice of kind `several`. */
function groupFor(
  { name, label, values = [] }: Choice,
  value: string,
  changed: (name: string, value: string) => void,
): HTMLElement {
  const group = document.createElement('fieldset');
  const legend = document.createElement('legend');
  legend.textContent = label;
  const chosen = new Set(value.split(','));
  const boxes = values.map(([key, words]) => {
    const row = document.createElement('label');
    const box = document.createElement('input');
    Object.assign(box, { type: 'checkbox', name, value: key, checked: chosen.has(key) });
    row.append(box, words);
    return { row, box };
  });
  group.addEventListener('change', () => {
    const kept = boxes.filter(({ box }) => box.checked).map(({ box }) => box.value);
    changed(name, kept.length === 0 ? 'none' : kept.join(','));
  });
  group.append(legend, ...boxes.map(({ row }) => row));
  return group;
}

function controlFor(choice: Choice, value: string): HTMLInputElement | HTMLSelectElement {
  if (choice.kind === 'one-of' || choice.kind === 'yes-no-usual') {
    const select = document.createElement('select');
    const options = choice.values ?? [];
    select.append(...options.map(([key, label]) => new Option(label, key, false, key === value)));
    return select;
  }
  const input = document.createElement('input');
  if (choice.kind === 'yes-no') {
    input.type = 'checkbox';
    input.checked = value === 'true';
  } else {
    const [min = '', max = ''] = choice.range ?? [];
    // A saved style may have any number of the range, such as 12 feet in metres.
    Object.assign(input, { type: 'number', min, max, step: 'any', required: true });
    input.value = value;
  }
  return input;
}
