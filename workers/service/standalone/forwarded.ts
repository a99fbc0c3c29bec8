// Determines the client's address and the service's URL from the socket, or from proxies that the
// operator trusts. X-Forwarded-* headers of other peers are removed before the request reaches the
// service.

import ipaddr from 'ipaddr.js';
import { originOf } from '../../../shared/contract/mail-settings.ts';

type Address = ReturnType<typeof ipaddr.process>;
type Range = readonly [Address, number];

export interface ProxyRules {
  /** Addresses and networks of trusted proxies. */
  readonly trusted: readonly Range[];
  /** The public URL of the service; if it is set, the host that proxies report is ignored. */
  readonly publicOrigin: string | undefined;
  /** Names of invalid settings. */
  readonly faults: readonly string[];
}

export interface ClientRequest {
  /** The client's address without a port; empty if unknown. */
  readonly client: string;
  readonly origin: string;
  /** Whether the peer at the socket is a trusted proxy. */
  readonly isByTrusted: boolean;
  /** The request id from a trusted proxy. */
  readonly requestId: string | undefined;
}

/** Headers that proxies set, and the header from which the service reads the client's address. */
export const PROXY_HEADERS = [
  'cf-connecting-ip',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'true-client-ip',
] as const;

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * @param publicUrl such as `https://charts.example`; empty if not set
 * @param trustedProxies addresses, networks, `loopback` and `private`, separated by commas
 */
export function proxyRules(publicUrl = '', trustedProxies = ''): ProxyRules {
  const faults: string[] = [];
  const trusted = readRanges(trustedProxies);
  if (trusted === undefined) faults.push('TRUSTED_PROXIES');
  let publicOrigin: string | undefined;
  if (publicUrl !== '') {
    publicOrigin = originOf(publicUrl);
    if (publicOrigin === undefined) faults.push('PUBLIC_URL');
  }
  return { trusted: trusted ?? [], publicOrigin, faults };
}

/** Addresses and networks of a list; `undefined` if one of them is invalid. */
export function readRanges(list: string): readonly Range[] | undefined {
  try {
    return list
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '')
      .flatMap((word) => NAMED[word] ?? [word])
      .map((word): Range => {
        if (word.includes('/')) return ipaddr.parseCIDR(word);
        const address = ipaddr.process(word);
        return [address, address.kind() === 'ipv4' ? 32 : 128];
      });
  } catch {
    return undefined;
  }
}

/** @param peer the address at the socket, as `127.0.0.1:4711` or `[::1]:4711` */
export function identifyClient(
  url: URL,
  headers: Headers,
  peer: string,
  { trusted, publicOrigin }: ProxyRules,
): ClientRequest {
  const socket = withoutPort(peer);
  const isByTrusted = isWithin(socket, trusted);
  const origin = publicOrigin ?? (isByTrusted ? forwardedOrigin(url, headers) : url.origin);
  if (!isByTrusted) return { client: socket, origin, isByTrusted, requestId: undefined };
  const given = headers.get('x-request-id') ?? '';
  return {
    client: clientOf(headers.get('x-forwarded-for') ?? '', socket, trusted),
    origin,
    isByTrusted,
    requestId: /^[\w.:-]{8,64}$/.test(given) ? given : undefined,
  };
}

/** The last address that is not a trusted proxy. Clients can forge the addresses before it. */
function clientOf(forwardedFor: string, socket: string, trusted: readonly Range[]): string {
  let client = socket;
  for (const hop of forwardedFor.split(',').reverse()) {
    const address = withoutPort(hop.trim());
    if (!ipaddr.isValid(address)) break;
    client = address;
    if (!isWithin(address, trusted)) break;
  }
  return ipaddr.isValid(client) ? ipaddr.process(client).toString() : client;
}

/** The last value of each list was added by the proxy that is connected to this service. */
function forwardedOrigin(url: URL, headers: Headers): string {
  const last = (name: string) => headers.get(name)?.split(',').at(-1)?.trim().toLowerCase() ?? '';
  const protocol = last('x-forwarded-proto');
  const host = last('x-forwarded-host');
  const scheme = /^https?$/.test(protocol) ? protocol : url.protocol.slice(0, -1);
  const isHost = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/.test(host);
  const named = `${scheme}://${isHost ? host : url.host}`;
  return URL.canParse(named) ? new URL(named).origin : url.origin;
}

/** Whether an address is in one of the networks. */
export function isWithin(address: string, ranges: readonly Range[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(
    ([network, bits]) => network.kind() === parsed.kind() && parsed.match([network, bits] as never),
  );
}

function withoutPort(address: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1];
  return bracketed ?? address.replace(/^([^:]*):\d+$/, '$1');
}
