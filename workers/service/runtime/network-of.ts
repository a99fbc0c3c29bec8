// The network of an address, for rate limits and queues.

import ipaddr from 'ipaddr.js';
import { hexOf } from './hex.ts';

/** Providers assign a /64 to each customer, and often more, up to a /48. */
const IPV6_BITS = 64;
const WIDE_IPV6_BITS = 48;

/**
 * The IPv4 address, or the network of an IPv6 address, because one client has all 2^64 addresses of a network.
 * @returns the text itself if it is not a valid address
 */
export function networkOf(address: string, ipv6Bits = IPV6_BITS): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return hexOf(parsed.toByteArray().slice(0, ipv6Bits / 8));
}

/** The client of a request for queues in which clients take turns: a client with a /48 has 2^16 networks. */
export const wideNetworkOf = (headers: Headers): string =>
  networkOf(headers.get('cf-connecting-ip') ?? '', WIDE_IPV6_BITS);
