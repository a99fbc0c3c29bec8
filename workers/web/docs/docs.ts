// The API reference at /docs: the component `openapi-explorer` with the colours of the page, the token of
// the reader, and links to errors.

import 'openapi-explorer';
import { carryToken } from './carry-token.ts';

/** The parts of the component that the page uses (openapi-explorer, documentation of its methods). */
interface Explorer extends HTMLElement {
  setAuthenticationConfiguration(id: string, options: { readonly token: string }): Promise<void>;
}

const COLORS = {
  light: {
    'bg-color': '#ffffff',
    'text-color': '#16232b',
    'header-color': '#0b3d5c',
    'nav-bg-color': '#f0f4f7',
    'nav-text-color': '#16232b',
    'nav-hover-bg-color': '#dde6ec',
    'nav-hover-text-color': '#0b3d5c',
    'primary-color': '#14578a',
    'secondary-color': '#8a4b00',
  },
  dark: {
    'bg-color': '#10181d',
    'text-color': '#d5e0e7',
    'header-color': '#0b3d5c',
    'nav-bg-color': '#0b1114',
    'nav-text-color': '#c2d0d9',
    'nav-hover-bg-color': '#1d2a32',
    'nav-hover-text-color': '#ffffff',
    'primary-color': '#7fc0f0',
    'secondary-color': '#f0b35a',
  },
} as const;

const explorer = document.querySelector<Explorer>('openapi-explorer')!;
const field = document.querySelector<HTMLInputElement>('#token')!;
const isDark = matchMedia('(prefers-color-scheme: dark)');

function setColors(): void {
  const colors = COLORS[isDark.matches ? 'dark' : 'light'];
  for (const [name, color] of Object.entries(colors)) explorer.setAttribute(name, color);
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
