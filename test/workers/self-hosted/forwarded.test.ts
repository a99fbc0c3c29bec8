// Whose word is taken on who asks and by which address.

import { expect, test } from 'vitest';
import {
  identifyClient,
  isWithin,
  proxyRules,
  readRanges,
} from '../../../workers/service/standalone/forwarded.ts';

const PLAIN = new URL('http://10.1.2.3:8787/path?a=b');
const HEADERS = {
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'charts.example',
  'x-forwarded-for': '203.0.113.9',
  'x-request-id': 'request-0001',
};
const ask = (peer: string, headers: Record<string, string>, trusted: string, publicUrl = '') =>
  identifyClient(PLAIN, new Headers(headers), peer, proxyRules(publicUrl, trusted));

test('an untrusted peer cannot choose the address, the client or the id of its request', () => {
  expect(ask('198.51.100.7:4000', HEADERS, '127.0.0.1')).toEqual({
    client: '198.51.100.7',
    origin: 'http://10.1.2.3:8787',
    isByTrusted: false,
    requestId: undefined,
  });
});

test.each([
  ['IPv4 in IPv6 is the same address', '[::ffff:127.0.0.1]:9', '127.0.0.1', true],
  ['IPv6 with a port', '[::1]:4711', 'loopback', true],
  ['a network', '10.20.30.40:1', '10.0.0.0/8', true],
  ['the neighbour of a network', '11.0.0.1:1', '10.0.0.0/8', false],
  ['none is trusted by default', '127.0.0.1:1', '', false],
])('a peer is trusted only if the setting names it: %s', (_, peer, trusted, isByTrusted) => {
  expect(ask(peer, HEADERS, trusted).isByTrusted).toBe(isByTrusted);
});

test('a trusted proxy reports the scheme, host and address of its client', () => {
  expect(ask('127.0.0.1:4000', HEADERS, 'loopback')).toEqual({
    client: '203.0.113.9',
    origin: 'https://charts.example',
    isByTrusted: true,
    requestId: 'request-0001',
  });
});

test('ignores addresses that the client wrote into the headers of a trusted proxy', () => {
  const forged = { ...HEADERS, 'x-forwarded-for': '1.1.1.1, 203.0.113.9, 10.0.0.4' };
  expect(ask('127.0.0.1:1', forged, 'loopback, private').client).toBe('203.0.113.9');
  expect(ask('127.0.0.1:1', forged, 'loopback').client).toBe('10.0.0.4');
  const junk = { ...HEADERS, 'x-forwarded-for': '1.1.1.1, <script>' };
  expect(ask('127.0.0.1:1', junk, 'loopback').client).toBe('127.0.0.1');
});

test('uses the last entry of a header to which a trusted proxy has added', () => {
  const added = {
    'x-forwarded-proto': 'http, https',
    'x-forwarded-host': 'evil.example, charts.example',
  };
  expect(ask('127.0.0.1:1', added, 'loopback').origin).toBe('https://charts.example');
});

test.each(['evil.example/path', 'a b', '"', 'user@host', '', 'x:99999999'])(
  'a trusted proxy that names no host leaves the one of the request: %j',
  (host) => {
    const { origin } = ask('127.0.0.1:1', { ...HEADERS, 'x-forwarded-host': host }, 'loopback');
    expect(origin).toBe('https://10.1.2.3:8787');
  },
);

test('ignores an invalid request id from a trusted proxy', () => {
  for (const id of ['short', 'x'.repeat(65), 'with space in it', '{"json":1}']) {
    const headers = { ...HEADERS, 'x-request-id': id };
    expect(ask('127.0.0.1:1', headers, 'loopback').requestId).toBeUndefined();
  }
});

test('PUBLIC_URL is the address for all clients, also behind a proxy', () => {
  const origin = (peer: string) =>
    ask(peer, HEADERS, 'loopback', 'https://sea.example:444/').origin;
  expect([origin('127.0.0.1:1'), origin('9.9.9.9:1')]).toEqual(
    Array(2).fill('https://sea.example:444'),
  );
});

test('settings that cannot be read are named', () => {
  expect(proxyRules('', '10.0.0.0/99').faults).toEqual(['TRUSTED_PROXIES']);
  expect(proxyRules('ftp://a.example', '').faults).toEqual(['PUBLIC_URL']);
  expect(proxyRules('https://a.example/below', '').faults).toEqual(['PUBLIC_URL']);
  expect(proxyRules('https://a.example', 'loopback, 10.0.0.1').faults).toEqual([]);
});

test('an invalid address is in no network', () => {
  expect(isWithin('somewhere', readRanges('0.0.0.0/0')!)).toBe(false);
});
