// Where a request comes from, as far as limits look at it.

import ipaddr from 'ipaddr.js';
import { hexOf } from '../runtime/hex.ts';
import type { AppContext } from './endpoint.ts';

/** Groups of an IPv6 address that a provider gives one customer: a /64. */
const IPV6_BITS = 64;

/**
 * The client's address, or its network where that is one client's: an IPv6 client has 2^64 addresses.
 * Empty where it is not known. The header is the platform's own; elsewhere what is before the service
 * takes away what clients send, and writes the address of the socket or of a trusted proxy's word.
 */
export const clientNetwork = (c: AppContext): string =>
  networkOf(c.req.header('cf-connecting-ip') ?? '');

/** @returns the address itself where it is none that can be read */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return hexOf(parsed.toByteArray().slice(0, IPV6_BITS / 8));
}
