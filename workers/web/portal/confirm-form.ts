// A form for what cannot be undone: the user types the name of the thing.

import { html } from 'lit';
import { keyed } from 'lit/directives/keyed.js';

interface Confirmation {
  /** Unique on the page. */
  readonly id: string;
  /** The text to type. */
  readonly name: string;
  /** What happens, as a sentence. */
  readonly consequence: string;
  /** The title of the button. */
  readonly action: string;
  /** Whether a change is in progress. The form cannot be sent then. */
  readonly isBusy: boolean;
}

/** A name as it can be typed: each space is the same, and invisible characters are left out. */
const typable = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();

export const isTyped = (name: string, typed: string): boolean => typable(name) === typable(typed);

export const confirmForm = (
  { id, name, consequence, action, isBusy }: Confirmation,
  act: () => void,
) => {
  const submit = (event: SubmitEvent) => {
    const input = (event.currentTarget as HTMLFormElement).querySelector('input')!;
    event.preventDefault();
    input.setCustomValidity(isTyped(name, input.value) ? '' : `Type ${name}`);
    if (input.reportValidity()) act();
  };
  const clear = (event: Event) => (event.target as HTMLInputElement).setCustomValidity('');
  // The text that was typed for one action must not confirm another.
  return keyed(
    id,
    html`<form class="card" novalidate @submit=${submit}>
    <p>${consequence}</p>
    <label for=${id}>To confirm, type <strong>${name}</strong></label>
    <input id=${id} autocomplete="off" @input=${clear} />
    <button class="main danger" type="submit" ?disabled=${isBusy}>${action}</button>
  </form>`,
  );
};
