// Invalid HTTP requests, or requests that two servers could interpret differently. The first server must
// refuse them, otherwise a service behind a proxy sees a different request from the one that the proxy
// accepted (RFC 9112, section 11.2).

const BODY = '{"reportType":"hazard","position":{"latitude":1,"longitude":2}}';
const HOST = 'host: leadline.test';
const LENGTH = `content-length: ${BODY.length}`;
const CHUNKED = 'transfer-encoding: chunked';
const REPORTS = '/api/v1/user-reports';

const lines = (first: string, ...rest: readonly string[]) =>
  `${[first, ...rest].join('\r\n')}\r\n\r\n`;
const get = (...headers: readonly string[]) => lines('GET /healthz HTTP/1.1', ...headers);
const chunks = (size: string, end = '0\r\n\r\n') => `${size}\r\n${BODY}\r\n${end}`;
const SIZE = BODY.length.toString(16);

/** The expected status and code of the refusal. */
type Refusal = readonly [status: number, code: string];
const NO_REQUEST: Refusal = [400, 'bad_request'];

/** Every edition of the service gives this response to any client. */
export function oddRequests(
  token: string,
): readonly (readonly [name: string, bytes: string, refusal: Refusal])[] {
  const bearer = `authorization: Bearer ${token}`;
  const post = (headers: readonly string[], body = BODY) =>
    lines(`POST ${REPORTS} HTTP/1.1`, HOST, bearer, ...headers) + body;
  const refused = (name: string, bytes: string) => [name, bytes, NO_REQUEST] as const;
  return [
    refused('one length twice', post([LENGTH, LENGTH])),
    refused('two lengths', post([LENGTH, 'content-length: 5'])),
    refused('a list of lengths', post([`${LENGTH}, ${BODY.length}`])),
    refused('a length with a sign', post([`content-length: +${BODY.length}`])),
    refused('a negative length', post(['content-length: -1'])),
    refused('a hexadecimal length', post(['content-length: 0x3f'])),
    refused('a huge length', post([`content-length: ${'9'.repeat(30)}`])),
    refused('an empty length', post(['content-length: '])),
    refused('a blank before the colon', post([`content-length : ${BODY.length}`])),
    refused('a length and chunks', post(['content-length: 5', CHUNKED], chunks(SIZE))),
    refused('chunks and a length', post([CHUNKED, 'content-length: 5'], chunks(SIZE))),
    refused('chunks twice', post([CHUNKED, CHUNKED], chunks(SIZE))),
    refused('chunks of chunks', post([`${CHUNKED}, chunked`], chunks(SIZE))),
    refused('no coding', post(['transfer-encoding: identity', LENGTH])),
    refused('a coding that ends in one', post(['transfer-encoding: xchunked'], chunks(SIZE))),
    refused('a coding in quotes', post(['transfer-encoding: "chunked"'], chunks(SIZE))),
    refused('a coding on the next line', post(['transfer-encoding:\r\n chunked'], chunks(SIZE))),
    refused(
      'a coding with a blank before the colon',
      post(['transfer-encoding : chunked'], chunks(SIZE)),
    ),
    refused('a chunk of 0x', post([CHUNKED], chunks(`0x${SIZE}`))),
    refused('a chunk of negative size', post([CHUNKED], chunks('-1'))),
    refused('a chunk of huge size', post([CHUNKED], chunks('f'.repeat(17)))),
    refused('chunks that end in LF', post([CHUNKED], `${SIZE}\n${BODY}\n0\n\n`)),
    refused(
      'a length after chunks',
      post([CHUNKED], chunks(SIZE, '0\r\ncontent-length: 3\r\n\r\n')),
    ),
    refused('a folded header', get(HOST, 'x-a: b\r\n c')),
    refused('lines that end in LF', get(HOST).replaceAll('\r', '')),
    refused('CR within a header', get(HOST, 'x-a: b\rc')),
    refused('NUL within a header', get(HOST, 'x-a: b\0c')),
    refused('a line that is not a header', get(HOST, 'abc')),
    refused('a header without a name', get(HOST, ': abc')),
    refused('a name with a blank', get(HOST, 'a b: c')),
    refused('no host', get()),
    refused('one host twice', get(HOST, HOST)),
    refused('a host with a zone', get('host: [fe80::1%25eth0]')),
    refused('a host of soft hyphens', get('host: \xad')),
    refused('a target with NUL', lines('GET /\0 HTTP/1.1', HOST)),
    refused('a target with a blank', lines('GET /a b HTTP/1.1', HOST)),
    refused('a target with bytes beyond ASCII', lines('GET /\xe9 HTTP/1.1', HOST)),
    refused('a target with only a query', lines('GET ? HTTP/1.1', HOST)),
    refused('no target', lines('GET  HTTP/1.1', HOST)),
    refused('a target of another scheme', lines('GET file:///etc/passwd HTTP/1.1', HOST)),
    refused('a target without its host', lines('GET http:///healthz HTTP/1.1', HOST)),
    refused('a target with a password', lines('GET http://a:b@c.test/healthz HTTP/1.1', HOST)),
    refused('every address', lines('OPTIONS * HTTP/1.1', HOST)),
    refused('a tunnel', lines('CONNECT leadline.test:443 HTTP/1.1', HOST)),
    refused('a tunnel to a path', lines('CONNECT /healthz HTTP/1.1', HOST)),
    refused('a method in lower case', lines('get /healthz HTTP/1.1', HOST)),
    refused('an unknown method', lines('FO-O /healthz HTTP/1.1', HOST)),
    refused('no method', lines(' /healthz HTTP/1.1', HOST)),
    refused('another version', lines('GET /healthz HTTP/9.9', HOST)),
    refused('the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    refused('a TLS handshake', '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03'),
    ['a large header', get(HOST, `x: ${'a'.repeat(200_000)}`), [431, 'headers_too_large']],
    ...['BIND', 'LINK', 'M-SEARCH', 'SOURCE', 'TRACE', 'PURGE', 'PROPFIND'].map(
      (method) =>
        [
          `the method ${method}`,
          lines(`${method} /healthz HTTP/1.1`, HOST),
          [405, 'method_not_allowed'],
        ] as const,
    ),
  ];
}

/** Unusual requests with only one interpretation. */
export function oddButSound(
  token: string,
): readonly (readonly [name: string, bytes: string, status: number])[] {
  const bearer = `authorization: Bearer ${token}`;
  const post = (headers: readonly string[], body = BODY) =>
    lines(`POST ${REPORTS} HTTP/1.1`, HOST, bearer, ...headers) + body;
  return [
    ['an extension of a chunk', post([CHUNKED], chunks(`${SIZE};a="b"`)), 201],
    ['zeros before the size of a chunk', post([CHUNKED], chunks(`0000000000${SIZE}`)), 201],
    ['an unknown expectation', post([LENGTH, 'expect: 200-ok']), 201],
    ['a GET with a body', `${get(HOST, 'content-length: 2')}{}`, 200],
    ['a GET with chunks', `${get(HOST, CHUNKED)}2\r\n{}\r\n0\r\n\r\n`, 200],
    [
      'three thousand headers before the last',
      lines(
        'GET /api/v1/styles/base.json HTTP/1.1',
        HOST,
        ...Array.from({ length: 3000 }, (_, i) => `x${i}: 1`),
        bearer,
      ),
      200,
    ],
    ['empty lines before the request', `\r\n\r\n${get(HOST)}`, 200],
    ['a switch to another protocol', get(HOST, 'connection: upgrade', 'upgrade: websocket'), 200],
    ['a host as a hexadecimal number', get('host: 0x7f.1'), 200],
  ];
}
