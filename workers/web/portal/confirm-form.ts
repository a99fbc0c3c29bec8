// A form for what cannot be undone: the user types the name of the thing.

import { html } from 'lit';
import { keyed } from 'lit/directives/keyed.js';

interface Confirmation {
  /** Unique on the page. */
  readonly id: string;
  /** The text to type. If none of its characters is visible, the user types the title of the button. */
  readonly name: string;
  /** What happens, as a sentence. */
  readonly consequence: string;
  /** The title of the button. */
  readonly action: string;
  /** Whether a change is in progress. The form cannot be sent then. */
  readonly isBusy: boolean;
}

/** A name as a user can type it: white space becomes one space, and invisible characters are removed. */
export const typable = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();

/** A name without visible characters is never typed. */
export const isTyped = (name: string, typed: string): boolean =>
  typable(name) !== '' && typable(name) === typable(typed);

export const confirmForm = (
  { id, name: given, consequence, action, isBusy }: Confirmation,
  act: () => void,
) => {
  const name = typable(given) === '' ? action : given;
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
