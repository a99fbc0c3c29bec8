// The API reference at /docs: the component `openapi-explorer` with the colours of the page, the token of
// the reader, and links to errors.

import 'openapi-explorer';
import { carryToken } from './carry-token.ts';

/** The parts of the component that the page uses (openapi-explorer, documentation of its methods). */
interface Explorer extends HTMLElement {
  setAuthenticationConfiguration(id: string, options: { readonly token: string }): Promise<void>;
}

/** Colours of the component and the colours of `docs.css` that they equal. */
const COLORS = {
  'bg-color': '--paper',
  'text-color': '--ink',
  'header-color': '--heading',
  'nav-bg-color': '--ground',
  'nav-text-color': '--ink',
  'nav-hover-bg-color': '--hover',
  'nav-hover-text-color': '--accent',
  'primary-color': '--accent',
  'secondary-color': '--second',
} as const;

const explorer = document.querySelector<Explorer>('openapi-explorer')!;
const field = document.querySelector<HTMLInputElement>('#token')!;
const isDark = matchMedia('(prefers-color-scheme: dark)');

/** Sets the colours as hexadecimal numbers: the component calculates with them. */
function setColors(): void {
  const style = getComputedStyle(document.documentElement);
  for (const [name, property] of Object.entries(COLORS)) {
    const [light, dark = light] = style.getPropertyValue(property).match(/#[0-9a-f]+/gi)!;
    explorer.setAttribute(name, (isDark.matches ? dark : light)!);
  }
}

/** Requests of the page use the token, in the header or in the query as each operation requires. */
async function useToken(): Promise<void> {
  const token = field.value.trim();
  carryToken(token);
  await explorer.setAuthenticationConfiguration('bearer', { token });
  await explorer.setAuthenticationConfiguration('queryToken', { token });
}

/** `#token_required` links to the row of an error, which the component may not have shown yet. */
function showError(hash: string, triesLeft = 100): void {
  const row = document.getElementById(hash.slice(1));
  if (row === null || !explorer.contains(row)) return;
  if (row.offsetParent === null && triesLeft > 0) {
    setTimeout(() => showError(hash, triesLeft - 1), 50);
    return;
  }
  document.querySelector('.linked')?.classList.remove('linked');
  row.classList.add('linked');
  row.scrollIntoView({ block: 'center' });
}

setColors();
isDark.addEventListener('change', setColors);
field.addEventListener('change', () => void useToken());
addEventListener('hashchange', () => showError(location.hash));
// The component changes the fragment when it starts.
const fragment = location.hash;
explorer.addEventListener('spec-loaded', () => {
  field.value = new URLSearchParams(fragment.slice(1)).get('token') ?? field.value;
  void useToken();
  // After the component has scrolled to its first section.
  setTimeout(() => showError(fragment), 300);
});
