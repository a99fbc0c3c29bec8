// A list of choices with a button that saves. A closed list changes with each arrow key, so a change needs a button.

import { html } from 'lit';
import { markUnsaved, valuesOf } from './portal-element.ts';

interface Choice<T extends string> {
  /** The text before the list. */
  readonly label: string;
  /** What is chosen, unique on the page. It begins with the label. */
  readonly name: string;
  readonly titles: Readonly<Record<T, string>>;
  /** The choice that is stored. */
  readonly value: T;
  /** Whether a change is in progress. The form cannot be sent then. */
  readonly isBusy: boolean;
}

/**
 * A choice that is not saved stays when the section is rendered again.
 * @param save sends the choice; afterwards the list shows the stored one
 */
export const choiceForm = <T extends string>(
  { label, name, titles, value, isBusy }: Choice<T>,
  save: (choice: T) => Promise<void>,
) => {
  const submit = async (event: SubmitEvent) => {
    const form = event.currentTarget as HTMLFormElement;
    const choice = valuesOf(event)['choice'] as T;
    // What is sent must not keep the sign-in form away if the session has ended.
    form.removeAttribute('data-unsaved');
    await save(choice);
    form.reset();
  };
  return html`<form class="tools" @submit=${submit} @input=${markUnsaved} @reset=${markUnsaved}>
    <label>${label} <select name="choice" aria-label=${name} ?disabled=${isBusy}>${Object.entries<string>(
      titles,
    ).map(
      ([one, title]) => html`<option value=${one} ?selected=${one === value}>${title}</option>`,
    )}</select></label>
    <button aria-label=${`Save: ${name}`} ?disabled=${isBusy}>Save</button>
  </form>`;
};
