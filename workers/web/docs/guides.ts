// The guides: fills the address of the service and the token of the reader into the snippets, and adds
// copy buttons.

import { carryToken } from './carry-token.ts';
import { addCopyButton } from './copy-button.ts';

const codes = Array.from(document.querySelectorAll('pre > code'), (code) => ({
  code,
  template: code.textContent,
}));
const form = document.querySelector('form');
const field = document.querySelector<HTMLInputElement>('#token');

function fillIn(token: string): void {
  for (const { code, template } of codes) {
    code.textContent = template
      .replaceAll('ADDRESS', location.origin)
      .replaceAll(/\bTOKEN\b/g, () => (token === '' ? 'TOKEN' : token));
  }
  carryToken(token);
}

for (const { code } of codes) addCopyButton(code);
const linked = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
fillIn(linked);
if (form !== null && field !== null && codes.length > 0) {
  // Above the first snippet, and below the title without JavaScript.
  document.querySelector('h1')!.after(form);
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  field.value = linked;
  field.addEventListener('input', () => fillIn(field.value.trim()));
}
