// The chart page where there is no network: its service worker keeps what was seen.

const SCRIPT = '/chart-worker.js';
/** Most that a first visit waits for it: whoever has none of it sees the chart all the same. */
const MOST_WAIT_MS = 2000;

/**
 * Starts the service worker, and waits at a first visit until it sees what the page asks for: what comes
 * before that is not kept. Without one (an old browser, no TLS, no room) the page works as ever.
 */
export async function startKeeping(): Promise<void> {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  const registration = await serviceWorker.register(SCRIPT).catch(() => undefined);
  // One that was there before and does not see this page, does not after a forced reload either.
  if (registration === undefined || registration.active !== null) return;
  await new Promise<void>((done) => {
    serviceWorker.addEventListener('controllerchange', () => done(), { once: true });
    setTimeout(done, MOST_WAIT_MS);
  });
}

/** Keeps the page's own files too, once there is time. */
export function keepPage(): void {
  navigator.serviceWorker?.controller?.postMessage({ leadline: 'keep-page' });
}
