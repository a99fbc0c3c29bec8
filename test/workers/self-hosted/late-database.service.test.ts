// A service that starts before its external database, and with an invalid setting.

import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '../../../workers/host/database/process.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { closeConnections, jsonOf, sendHttp } from '../../support/http-client.ts';
import {
  type Dist,
  discard,
  makeData,
  makeDist,
  type SelfHosted,
  startSelfHosted,
} from '../../support/self-hosted.ts';

const data = makeData();
let dist: Dist;
let database: TestDatabase;
let service: SelfHosted | undefined;
const tunnel = createServer((from) => {
  const to = connect(Number(new URL(database.ownerUrl).port), '127.0.0.1');
  for (const socket of [from, to]) socket.on('error', () => undefined);
  from.pipe(to).pipe(from);
});
beforeAll(async () => {
  [dist, database] = await Promise.all([makeDist(), freshDatabase()]);
});
afterAll(async () => {
  closeConnections();
  await discard(service, data);
  tunnel.close();
  await database?.stop();
  dist?.remove();
});

test('logs the first sign-in link when the database becomes available', async () => {
  const port = await freePort(0);
  const url = new URL(database.ownerUrl);
  url.port = `${port}`;
  const environment = { DATABASE_OWNER_URL: url.href, trackGapMs: '-5' };
  service = await startSelfHosted({ dist, data, charts: inject('demoCharts'), environment });
  expect(service.log()).toContainEqual(
    expect.objectContaining({ kind: 'fault', where: 'database' }),
  );
  await new Promise<void>((done) => tunnel.listen(port, '127.0.0.1', done));
  const line = await service.said(({ kind, where }) => [kind, where].includes('portal'));
  expect(line).toMatchObject({ kind: 'portal', link: expect.stringMatching(/\/portal#link=./) });
});

test('logs an invalid setting once at the start, and reports it in /readyz', async () => {
  const { lines, port } = service!;
  const logged = lines.filter((line) => /"settings","message":"trackGapMs must be /.test(line));
  expect(logged).toEqual([expect.stringContaining('Its default is used: 300000.')]);
  const ready = await sendHttp(port, '/readyz');
  expect([ready.status, jsonOf(ready)]).toEqual([
    503,
    expect.objectContaining({ faultySettings: ['trackGapMs'] }),
  ]);
});
