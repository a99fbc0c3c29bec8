// Messages of the service worker to the page.

export type FromServiceWorker =
  /** The response came from the service. */
  | { readonly leadline: 'fresh' }
  /** The response came from the HTTP cache of the browser. `keptAt`: when it was stored, epoch milliseconds. */
  | { readonly leadline: 'held'; readonly keptAt: number }
  /** The response came from the offline cache. `keptAt`: when it was stored, epoch milliseconds. */
  | { readonly leadline: 'kept'; readonly keptAt: number };
