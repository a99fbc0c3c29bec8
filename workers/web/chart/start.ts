// Runs before the page is drawn. With a token the page is a chart. Without one it describes the service and
// loads no map library.

import { addCopyButton } from '../docs/copy-button.ts';
import { tokenToUse } from './offline/installed-token.ts';

const linked = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

function openChart(): void {
  const script = document.createElement('script');
  script.type = 'module';
  script.src = '/page/chart.js';
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
  addEventListener('hashchange', () => {
    if (linked() !== '') location.reload();
  });
}

const hasToken = tokenToUse(linked()) !== '';
if (hasToken) document.documentElement.dataset['page'] = 'chart';
document.addEventListener('DOMContentLoaded', hasToken ? openChart : openDescription);
