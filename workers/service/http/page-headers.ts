// What a browser may do with a page of ours (Content Security Policy Level 3), whatever gets into it.

import type { PlainHeaders } from './response-headers.ts';

/** Of every page: it is shown in no frame of others, and sends its forms and links nowhere else. */
const EVERY_PAGE = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

const POLICIES = {
  /** Words alone. */
  text: ["default-src 'none'", "style-src 'unsafe-inline'", "img-src 'self'", ...EVERY_PAGE],
  /**
   * The chart: scripts and their workers of this service alone. Tiles, letters, symbols and imagery
   * come from wherever a style names; the map library puts pictures together as blobs and data.
   */
  chart: [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self' blob:",
    "style-src 'self'",
    "manifest-src 'self'",
    "connect-src 'self' http: https: data: blob:",
    "img-src 'self' http: https: data: blob:",
    ...EVERY_PAGE,
  ],
} as const;

export const pageHeaders = (page: keyof typeof POLICIES): PlainHeaders => ({
  'content-security-policy': POLICIES[page].join('; '),
  // For browsers that do not know `frame-ancestors`.
  'x-frame-options': 'DENY',
});
