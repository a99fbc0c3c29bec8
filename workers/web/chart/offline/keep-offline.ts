// Starts the service worker that caches the chart for offline use.

import { THEMES } from '../../../../shared/style/options.ts';
import { loadStyle } from '../../client/chart/chart-style.ts';
import type { LeadlineChart } from '../../client/chart/leadline-chart.ts';

const SCRIPT = '/chart-worker.js';
/** Maximum wait for the service worker at a first visit. The chart also works without it. */
const MAX_WAIT_MS = 2000;

/**
 * Starts the service worker. At a first visit, waits until it controls the page, because earlier requests
 * are not cached. Without a service worker (old browser, no TLS, no space) the page works as usual.
 */
export async function startKeeping(): Promise<void> {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  const registration = await serviceWorker.register(SCRIPT).catch(() => undefined);
  // After a forced reload, an active worker does not control the page and never will.
  if (registration === undefined || registration.active !== null) return;
  await new Promise<void>((done) => {
    serviceWorker.addEventListener('controllerchange', () => done(), { once: true });
    setTimeout(done, MAX_WAIT_MS);
  });
}

/** Asks the service worker to cache the files of the page. */
export function keepPage(): void {
  navigator.serviceWorker?.controller?.postMessage({ leadline: 'keep-page' });
}

/** Ending of the name of the symbols that MapLibre requests. Other symbols are not cached. */
export const densitySuffix = (): string => (devicePixelRatio > 1 ? '@2x' : '');

/**
 * Requests the documents and symbols of all themes, so that the service worker caches them and the theme can change
 * offline.
 *
 * @throws LeadlineError if a document cannot be loaded; TypeError if symbols cannot
 */
export async function keepThemes({ client, parameters }: LeadlineChart): Promise<void> {
  if (client === undefined || !navigator.serviceWorker?.controller) return;
  for (const theme of THEMES) {
    const { style } = await loadStyle(client, { ...parameters, theme });
    for (const ending of ['json', 'png']) {
      await fetch(`${style.sprite}${densitySuffix()}.${ending}`);
    }
  }
}
