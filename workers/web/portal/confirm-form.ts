// A form for what cannot be undone: the user types the name of the thing.

import { html, type TemplateResult } from 'lit';

interface Confirmation {
  /** Unique on the page. */
  readonly id: string;
  /** The text to type. */
  readonly name: string;
  /** What happens, as a sentence. */
  readonly consequence: string;
  /** The title of the button. */
  readonly action: string;
}

export const confirmForm = (
  { id, name, consequence, action }: Confirmation,
  act: () => void,
): TemplateResult => {
  const submit = (event: SubmitEvent) => {
    const input = (event.currentTarget as HTMLFormElement).querySelector('input')!;
    event.preventDefault();
    input.setCustomValidity(input.value.trim() === name.trim() ? '' : `Type ${name}`);
    if (input.reportValidity()) act();
  };
  const clear = (event: Event) => (event.target as HTMLInputElement).setCustomValidity('');
  return html`<form class="card" novalidate @submit=${submit}>
    <p>${consequence}</p>
    <label for=${id}>To confirm, type <strong>${name}</strong></label>
    <input id=${id} autocomplete="off" @input=${clear} />
    <button class="main danger" type="submit">${action}</button>
  </form>`;
};
