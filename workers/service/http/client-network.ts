// The network of a client, for rate limits.

import ipaddr from 'ipaddr.js';
import { hexOf } from '../runtime/hex.ts';
import type { AppContext } from './endpoint.ts';

/** Providers assign a /64 to each customer. */
const IPV6_BITS = 64;

/**
 * The client's IPv4 address or IPv6 network, since one IPv6 client has 2^64 addresses. Empty if
 * unknown. Cloudflare sets the header. When self-hosted, the supervisor replaces it by the address
 * of the socket or the address that a trusted proxy reports.
 */
export const clientNetwork = (c: AppContext): string =>
  networkOf(c.req.header('cf-connecting-ip') ?? '');

/** @returns the text itself if it is not a valid address */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return hexOf(parsed.toByteArray().slice(0, IPV6_BITS / 8));
}
