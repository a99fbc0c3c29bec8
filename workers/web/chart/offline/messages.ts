// What the service worker tells the page.

export type FromServiceWorker =
  /** The service answered. */
  | { readonly leadline: 'fresh' }
  /** The browser had the answer still, for as long as the service lets it; it was kept at this time. */
  | { readonly leadline: 'held'; readonly keptAt: number }
  /** It did not; what is shown was kept at this time, in milliseconds since 1970. */
  | { readonly leadline: 'kept'; readonly keptAt: number };
