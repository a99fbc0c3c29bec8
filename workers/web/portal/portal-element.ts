// The base of the portal's components: they use the stylesheet of the page, and show a message for errors.

import { html, LitElement, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { ref } from 'lit/directives/ref.js';
import { PortalError, textOf } from './api.ts';

const SESSION_ENDED = 'Your session has ended. Sign in in another tab, then try again.';

/** Whether an element has unsaved changes. It then has the attribute `data-unsaved`. */
export const hasUnsaved = (): boolean => document.querySelector('[data-unsaved]') !== null;

/** Ask the user before unsaved changes are lost. */
export const mayDiscard = (): boolean =>
  !hasUnsaved() ||
  confirm(
    'Continue? Unsaved changes and secrets that were not copied are lost, and transfers stop.',
  );

/** Whether a field of a form has another value than at first. */
const isChanged = (field: Element): boolean => {
  if (field instanceof HTMLSelectElement) {
    const first = [...field.options].findIndex((one) => one.defaultSelected);
    return field.selectedIndex !== Math.max(0, first);
  }
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  if (!(field instanceof HTMLInputElement)) return false;
  return field.type === 'checkbox' || field.type === 'radio'
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue;
};

/** For `@input` and `@reset` of a form: what the user changed is unsaved until the form is reset. */
export const markUnsaved = ({ type, currentTarget }: Event): void => {
  const form = currentTarget as HTMLFormElement;
  const isUnsaved = type === 'input' && [...form.elements].some(isChanged);
  form.toggleAttribute('data-unsaved', isUnsaved);
};

/** For `ref`: called once when the element is on the page. Several elements at once have the same function. */
const whenShown = (act: (element: HTMLElement) => void) => {
  const shown = new WeakSet<Element>();
  return (element?: Element) => {
    if (element === undefined || shown.has(element)) return;
    shown.add(element);
    queueMicrotask(() => act(element as HTMLElement));
  };
};
const scrollTo = whenShown((element) => element.scrollIntoView({ block: 'nearest' }));
/** For `ref` of a heading with `tabindex="-1"`: moves the focus to it. */
export const focusOn = whenShown((element) => element.focus());

export class PortalElement extends LitElement {
  static override properties: Record<string, object> = {
    message: { state: true },
    isBusy: { state: true },
  };

  declare protected message: string;
  /** Whether a change is in progress. Then no other form can be sent. */
  declare protected isBusy: boolean;
  #loaded: Promise<unknown> = Promise.resolve();
  /** Number of changes in progress. */
  #changes = 0;

  constructor() {
    super();
    this.message = '';
    this.isBusy = false;
  }

  /** Without a shadow root, the stylesheet of the page applies. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Make a change after all loading, so that a late answer does not replace the result of the change. */
  protected async attempt(work: () => Promise<void>): Promise<void> {
    const places = this.#placesOfFocus();
    this.#changes++;
    this.isBusy = true;
    // More may begin to load meanwhile.
    for (let awaited: unknown; awaited !== this.#loaded; ) {
      awaited = this.#loaded;
      await awaited;
    }
    await this.#run(work);
    this.isBusy = --this.#changes > 0;
    await this.updateComplete;
    if (document.activeElement !== document.body) return;
    // The focused element was disabled or removed. A message stays in view.
    const place = places.find((one) => one.isConnected && !one.matches(':disabled'));
    place?.focus({ preventScroll: this.message !== '' });
  }

  /** Moves the focus to an entry of the list, or to the last one, if the button that loads more has gone. */
  protected async focusEntry(at: number): Promise<void> {
    await this.updateComplete;
    if (document.activeElement !== document.body) return;
    const entries = this.querySelector('.tokens')?.children;
    const entry = (entries?.[at] ?? entries?.[at - 1]) as HTMLElement | undefined;
    entry?.setAttribute('tabindex', '-1');
    entry?.focus();
  }

  /** The focused element, and where the focus goes if it disappears: the opener of a form, the next entry. */
  #placesOfFocus(): HTMLElement[] {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement && this.contains(focused))) return [];
    const entry = focused.closest('li');
    const heading = this.querySelector<HTMLElement>('h1, h2');
    heading?.setAttribute('tabindex', '-1');
    return [
      focused,
      entry?.querySelector<HTMLElement>('[aria-expanded="true"]'),
      ...[entry, entry?.nextElementSibling, entry?.previousElementSibling].map((one) =>
        one?.querySelector<HTMLElement>('button'),
      ),
      heading,
    ].filter((one) => one != null);
  }

  /** Load what is shown. Forms can be sent meanwhile, and several can load at the same time. */
  protected read(work: () => Promise<void>): void {
    this.#loaded = Promise.all([this.#loaded, this.#run(work)]);
  }

  /** Do work that no change has to wait for. */
  protected aside(work: () => Promise<void>): void {
    void this.#run(work);
  }

  /** Run requests, show their error, and return to the sign-in form if the session has ended. */
  async #run(work: () => Promise<void>): Promise<void> {
    this.message = '';
    try {
      await work();
    } catch (error) {
      this.message = textOf(error);
      this.announceEnd(error);
    }
  }

  /** Return to the sign-in form if an error says that the session has ended, unless changes would be lost. */
  protected announceEnd(error: unknown): void {
    if (!(error instanceof PortalError) || error.status !== 401) return;
    if (hasUnsaved()) this.message = SESSION_ENDED;
    else this.announce('session-ended');
  }

  protected announce(name: string): void {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true }));
  }

  protected messageBox() {
    const { message } = this;
    if (message === '') return nothing;
    return keyed(message, html`<p class="message" role="alert" ${ref(scrollTo)}>${message}</p>`);
  }

  /** A button that opens or closes a part of an entry. @param of the name of the entry */
  protected opener(title: string, of: string, isOpen: boolean, toggle: () => void) {
    return html`<button type="button" aria-label=${`${title}: ${of}`} aria-expanded=${isOpen}
      @click=${toggle}>${title}</button>`;
  }
}

/** The values of a form without spaces at their ends, except those of empty fields. */
export const filledValuesOf = (event: SubmitEvent): [string, string][] =>
  Object.entries(valuesOf(event))
    .map(([name, text]): [string, string] => [name, text.trim()])
    .filter(([, text]) => text !== '');

/** The values of a form. */
export function valuesOf(event: SubmitEvent): Readonly<Record<string, string>> {
  event.preventDefault();
  const data = new FormData(event.currentTarget as HTMLFormElement);
  return Object.fromEntries([...data].map(([name, value]) => [name, String(value)]));
}
