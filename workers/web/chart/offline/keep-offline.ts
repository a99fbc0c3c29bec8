// Starts the service worker that caches the chart for offline use.

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
