// A button that copies a text.

import { html, type TemplateResult } from 'lit';
import { copyFrom } from '../docs/copy-button.ts';

/** @param text must be shown in a `code` or `pre` element of the page */
export function copyButton(title: string, text: string): TemplateResult {
  const copy = (event: Event) => {
    const shown = [...document.querySelectorAll('main :is(code, pre)')];
    const code = shown.find(({ textContent }) => textContent === text)!;
    void copyFrom(code, event.currentTarget as HTMLButtonElement, title);
  };
  return html`<button type="button" @click=${copy}>${title}</button>`;
}
