// Whatever is written into the header Authorization, as bytes that clients' libraries refuse to send:
// a token, or 401, and never an error of ours.

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openConnection } from '../support/raw-connection.ts';
import { type Service, startService } from '../support/service.ts';

const PATHS = [
  'GET /api/v2/tiles/enc-v2/0/0/0.mvt',
  'GET /api/v1/styles/base.json',
  'POST /api/v1/routing/route?token=none',
  'POST /api/v1/user-reports',
];

const ODD: readonly (readonly [what: string, line: string])[] = [
  ['nothing', 'Authorization:'],
  ['blanks', 'Authorization:    '],
  ['the scheme alone', 'Authorization: Bearer'],
  ['the scheme and a blank', 'Authorization: Bearer '],
  ['the scheme twice', 'Authorization: Bearer Bearer x.y.z'],
  ['another scheme', 'Authorization: Basic Og=='],
  ['no scheme', 'Authorization: x.y.z'],
  ['commas', 'Authorization: Bearer a,b,c'],
  ['a tab', 'Authorization: Bearer\tx.y.z'],
  ['bytes that are no UTF-8', 'Authorization: Bearer \xff\xfe.\x80.\xc3'],
  ['UTF-8 beyond Latin 1', 'Authorization: Bearer \xf0\x9f\x9a\xa2.a.b'],
  ['half of a UTF-8 letter at its end', 'Authorization: Bearer a.b.\xe2\x82'],
  ['a DEL', 'Authorization: Bearer a.b.\x7f'],
  ['a control character', 'Authorization: Bearer a.\x01.b'],
  ['dots alone', 'Authorization: Bearer ..'],
  ['parts that are no base64', 'Authorization: Bearer %%%.$$$.###'],
  ['a header that is no JSON', 'Authorization: Bearer e30x.e30.e30'],
  ['an empty header and claims', 'Authorization: Bearer e30.e30.e30'],
  ['sixteen thousand letters', `Authorization: Bearer ${'a'.repeat(16_000)}.b.c`],
  ['two of them', 'Authorization: Bearer a.b.c\r\nAuthorization: Bearer d.e.f'],
  ['a good one behind another', 'Authorization: Basic Og==\r\nAuthorization: Bearer a.b.c'],
];

describe.each([
  ['the runtime itself', true],
  ['the service of this machine', false],
])('%s', (_, isDirect) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ charts: inject('demoCharts'), isDirect });
  });
  afterAll(() => service?.stop());

  test.each(ODD)('%s in Authorization is 401, or no request at all', async (_, line) => {
    for (const path of PATHS) {
      const connection = await openConnection(service.port);
      try {
        const head = `${path} HTTP/1.1\r\nhost: leadline.test\r\n${line}\r\ncontent-length: 0\r\n\r\n`;
        await connection.send(Buffer.from(head, 'latin1'));
        const { status, body } = await connection.answer();
        // 400 and 431 come from the runtime, which rejects the request before the service.
        if (status !== 401)
          expect([path, status, isDirect ? undefined : JSON.parse(body).code]).toEqual([
            path,
            expect.toBeOneOf([400, 431]),
            isDirect ? undefined : expect.toBeOneOf(['bad_request', 'headers_too_large']),
          ]);
        else expect(JSON.parse(body)).toMatchObject({ code: expect.stringMatching(/^token_/) });
      } finally {
        connection.close();
      }
    }
    expect(service.log.filter((one) => /"kind":"fault"|exception/i.test(one))).toEqual([]);
  });
});
