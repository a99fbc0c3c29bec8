// Creates a form control for each parameter from its schema.

import { element } from '../../client/chart/elements.ts';
import type { ChosenValues, StyleParameter } from './style-parameters.ts';

/** Fills the form and calls `changed` after every change. An empty value means the default. */
export function showParameters(
  form: HTMLFormElement,
  parameters: readonly StyleParameter[],
  chosen: ChosenValues,
  changed: (name: string, value: string) => void,
): void {
  form.replaceChildren(...parameters.map((one) => rowFor(one, chosen[one.name] ?? '', changed)));
}

function rowFor(
  parameter: StyleParameter,
  value: string,
  changed: (name: string, value: string) => void,
): HTMLElement {
  const { name, description } = parameter;
  const row = element('div');
  const label = element('label', name);
  const control = controlFor(parameter, value);
  const hint = element('p', description);
  hint.className = 'hint';
  hint.id = `about-${name}`;
  control.id = label.htmlFor = `parameter-${name}`;
  control.name = name;
  control.setAttribute('aria-describedby', hint.id);
  control.addEventListener('change', () => {
    if (control.reportValidity()) changed(name, control.value.trim());
  });
  row.append(label, control, hint);
  return row;
}

function controlFor({ schema }: StyleParameter, value: string) {
  const usual = schema.default === undefined ? 'default' : `default (${schema.default})`;
  const values = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined);
  if (values !== undefined) {
    const select = element('select');
    select.append(
      new Option(usual, ''),
      ...values.map((one) => new Option(one, one, false, one === value)),
    );
    return select;
  }
  const input = element('input');
  input.autocomplete = 'off';
  input.spellcheck = false;
  if (schema.type === 'number') {
    Object.assign(input, { type: 'number', step: 'any' });
    if (schema.minimum !== undefined) input.min = String(schema.minimum);
    if (schema.maximum !== undefined) input.max = String(schema.maximum);
  }
  input.placeholder = usual;
  input.value = value;
  return input;
}
