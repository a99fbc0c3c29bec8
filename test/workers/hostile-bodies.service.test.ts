// Six hostile bodies at once: other requests must be answered in between, not afterwards.

import { request } from 'node:http';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeConnections, sendHttp } from '../support/http-client.ts';
import { type Service, startService } from '../support/service.ts';
import { BATHYMETRY } from '../support/soundings.ts';

const MEBI = 2 ** 20;
const AT_ONCE = 6;
/** The number of responses to other requests, with hostile bodies throughout. */
const ANSWERS = 12;
const PIECE = 65_536;

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService({ charts: inject('demoCharts'), isAlone: false });
  token = await service.token();
});
afterAll(async () => {
  closeConnections();
  await service?.stop();
});

const SOUND = '{"latitude":1.5,"longitude":-2.5,"depth":3,"time":"2024-05-06T07:08:09Z"}';
const WIDE = `{"latitude":1.5,"longitude":-2.5,"depth":3,"time":1,"x":[{}${',{}'.repeat(80)}]}`;

/** Bodies that are read completely before the response: the beginning, the repeated part, and the size. */
const BODIES: Readonly<Record<string, readonly [before: string, middle: string, bytes: number]>> = {
  'soundings with unknown lists': [`{"soundings":[${SOUND}`, `,${WIDE}`, 8 * MEBI],
  'a `soundings` field repeated many times': [
    `{"soundings":[${SOUND}`,
    `],"soundings":[${SOUND}`,
    4 * MEBI,
  ],
};

/** The status, or `undefined` if the connection ended first. */
function sendHostile(
  [before, middle, bytes]: readonly [string, string, number],
  bearer: string,
): Promise<number | undefined> {
  const piece = Buffer.from(middle.repeat(Math.ceil(PIECE / middle.length)));
  return new Promise((done) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: service.port,
        path: BATHYMETRY,
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${bearer}` },
      },
      (answer) => {
        answer.resume();
        answer.on('close', () => done(answer.statusCode));
      },
    );
    asked.on('error', () => done(undefined));
    asked.write(before);
    let sent = before.length;
    const more = () => {
      while (sent < bytes) {
        sent += piece.length;
        if (!asked.write(piece)) return void asked.once('drain', more);
      }
      asked.end();
    };
    more();
  });
}

test.each(Object.keys(BODIES))(
  'other requests are answered between six bodies of %s',
  async (name) => {
    const body = BODIES[name]!;
    let isOver = false;
    let read = 0;
    const statuses = new Set<number | undefined>();
    const hostile = async (number: number) => {
      const bearer = await service.token({ account: `hostile-${number}` });
      while (!isOver) {
        statuses.add(await sendHostile(body, bearer));
        if (!isOver) read++;
      }
    };
    const all = Array.from({ length: AT_ONCE }, (_, i) => hostile(i));
    for (let i = 0; i < ANSWERS; i++) {
      expect((await sendHttp(service.port, '/healthz')).status).toBe(200);
    }
    isOver = true;
    const meanwhile = read;
    await Promise.all(all);
    // If each body were processed without a pause, all six would delay each response.
    expect(meanwhile).toBeLessThan(ANSWERS);
    expect([...statuses].filter((status) => ![400, 413, 503].includes(status!))).toEqual([]);
  },
);

test('a tile is served after all hostile bodies', async () => {
  const headers = { authorization: `Bearer ${token}` };
  const tile = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';
  expect((await sendHttp(service.port, tile, { headers })).status).toBe(200);
});
