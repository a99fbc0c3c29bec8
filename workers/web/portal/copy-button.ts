// A button that copies a text.

import { html, type TemplateResult } from 'lit';

export function copyButton(title: string, text: string): TemplateResult {
  const copy = async (event: Event) => {
    const button = event.currentTarget as HTMLButtonElement;
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    button.textContent = isCopied ? 'Copied' : 'Select the text and copy it';
  };
  return html`<button type="button" @click=${copy}>${title}</button>`;
}
