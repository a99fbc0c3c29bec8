// Runs before the page is drawn. With a token the page is a chart. Without one it describes the service and
// loads the map library only for a demo.

import { addCopyButton } from '../docs/copy-button.ts';
import { tokenToUse } from './offline/installed-token.ts';

const linked = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

function loadModule(path: string): void {
  const script = document.createElement('script');
  script.type = 'module';
  script.src = path;
  document.head.append(script);
}

function openDescription(): void {
  const snippet = document.querySelector('#about pre > code')!;
  snippet.textContent = snippet.textContent.replace('ADDRESS', location.origin);
  addCopyButton(snippet);
  const form = document.querySelector<HTMLFormElement>('#enter')!;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const token = form.querySelector('input')!.value.trim();
    location.hash = new URLSearchParams({ token }).toString();
  });
  showDemo().catch(() => undefined);
  addEventListener('hashchange', () => {
    if (linked() !== '') location.reload();
  });
}

/** Load a live chart if the service has a token for one. The picture needs none. */
async function showDemo(): Promise<void> {
  const answer = await fetch('/api/v1/demo-token');
  const { token } = (await answer.json()) as { readonly token: string | null };
  if (!answer.ok || token === null) return;
  document.querySelector<HTMLElement>('#demo')!.dataset['token'] = token;
  loadModule('/page/demo.js');
}

const hasToken = tokenToUse(linked()) !== '';
if (hasToken) document.documentElement.dataset['page'] = 'chart';
document.addEventListener(
  'DOMContentLoaded',
  hasToken ? () => loadModule('/page/chart.js') : openDescription,
);
