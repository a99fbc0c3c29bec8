// Security headers of pages (Content Security Policy Level 3).

import type { PlainHeaders } from './response-headers.ts';

/** No page may be framed, submit forms or change its base URL, or load what its policy does not list. */
const EVERY_PAGE = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

const POLICIES = {
  /** Pages without scripts. */
  text: ["style-src 'unsafe-inline'", "img-src 'self'"],
  /** The guides: one script and one stylesheet of this service. */
  guide: ["script-src 'self'", "style-src 'self'", "img-src 'self'"],
  /** The API reference: scripts of this service, and the style elements that its component writes. */
  reference: [
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
  ],
  /**
   * The chart pages: scripts and workers from this service only. A style may load tiles, glyphs,
   * sprites and imagery from any host; the map library creates blob and data URLs.
   */
  chart: [
    "script-src 'self'",
    "worker-src 'self' blob:",
    "style-src 'self'",
    "manifest-src 'self'",
    "connect-src 'self' http: https: data: blob:",
    "img-src 'self' http: https: data: blob:",
  ],
  /** The portal: scripts and requests of this service only. Controls of the map have pictures in their stylesheet. */
  portal: ["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:"],
} as const;

export const pageHeaders = (page: keyof typeof POLICIES): PlainHeaders => ({
  'content-security-policy': ["default-src 'none'", ...POLICIES[page], ...EVERY_PAGE].join('; '),
  // For browsers that do not know `frame-ancestors`.
  'x-frame-options': 'DENY',
});
