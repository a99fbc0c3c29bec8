// The network of a client, for rate limits.

import { networkOf } from '../runtime/network-of.ts';
import type { AppContext } from './endpoint.ts';

/**
 * The client's IPv4 address or IPv6 network. Empty if unknown. Cloudflare sets the header. When self-hosted, the
 * supervisor replaces it by the address of the socket or the address that a trusted proxy reports.
 */
export const clientNetwork = (c: AppContext): string =>
  networkOf(c.req.header('cf-connecting-ip') ?? '');
