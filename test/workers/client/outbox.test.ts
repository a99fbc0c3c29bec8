// The outbox sends each entry once and in order, and loses no entry.

import { expect, it } from 'vitest';
import { openOutbox, TokenError } from '../../../workers/web/client/index.ts';
import {
  clientWithAnswers,
  json,
  memoryStorage,
  noNetwork,
  problem,
  type Reply,
} from '../../support/fetch-double.ts';

const REPORT = { reportType: 'hazard', position: { latitude: 1, longitude: 2 } } as const;
const MADE = { id: 'x', reportType: 'hazard', latitude: 1, longitude: 2 };

const opened = (replies: readonly Reply[], storage = memoryStorage()) => {
  const double = clientWithAnswers(replies, { retries: 0 });
  return { ...double, storage, outbox: openOutbox(double.client, storage) };
};

it('the outbox keeps its entries when the app restarts, and sends them in order', async () => {
  const before = opened([]);
  const id = await before.outbox.addReport(REPORT);
  await before.outbox.addVote('other', 'invalid');
  await before.outbox.addDeletion('mine');
  const after = opened([json(MADE, 201), json(MADE), json(MADE)], before.storage);
  const { sent, refused, stoppedBy } = await after.outbox.send();
  expect([sent.length, refused, stoppedBy]).toEqual([3, [], undefined]);
  expect(after.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/v1/user-reports',
    'POST /api/v1/user-reports/other/votes',
    'DELETE /api/v1/user-reports/mine',
  ]);
  expect(after.requests[0]!.body).toEqual({ ...REPORT, id });
  expect(await after.outbox.entries()).toEqual([]);
  expect([...before.storage.texts.keys()]).toEqual(['leadline-outbox']);
});

it('the outbox sends a report of unknown outcome again with the id and key of before', async () => {
  const first = opened([noNetwork()]);
  await first.outbox.addReport(REPORT);
  const { stoppedBy, sent } = await first.outbox.send();
  expect([stoppedBy?.mayHaveSucceeded, sent]).toEqual([true, []]);
  const second = opened([json(MADE, 201)], first.storage);
  await second.outbox.send();
  const [one] = first.requests;
  const [other] = second.requests;
  expect(other!.body).toEqual(one!.body);
  expect(other!.headers.get('idempotency-key')).toBe(one!.headers.get('idempotency-key'));
});

it('the outbox removes a report that arrived days ago, also if its key has expired and no user is known', async () => {
  const first = opened([noNetwork()]);
  await first.outbox.addReport(REPORT);
  await first.outbox.send();
  const second = opened([problem(409, 'report_exists')], first.storage);
  expect((await second.outbox.send()).sent).toHaveLength(1);
  expect(await second.outbox.entries()).toEqual([]);
});

it('the outbox stops if there is no network, and keeps all entries in order', async () => {
  const { outbox, requests } = opened([json(MADE, 201), noNetwork()]);
  for (const latitude of [1, 2, 3]) {
    await outbox.addReport({ ...REPORT, position: { latitude, longitude: 2 } });
  }
  expect((await outbox.send()).sent).toHaveLength(1);
  expect(requests).toHaveLength(2);
  const left = await outbox.entries();
  const latitudes = left.map((entry) => entry.kind === 'report' && entry.report.position.latitude);
  expect(latitudes).toEqual([2, 3]);
});

it('the outbox keeps all entries if the token is invalid, the service is down, or another server answers', async () => {
  for (const reply of [
    problem(401, 'token_invalid'),
    problem(429, 'too_many_requests'),
    problem(503, 'database_unavailable'),
    new Response('<h1>Log in</h1>', { status: 403, headers: { 'content-type': 'text/html' } }),
    new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } }),
  ]) {
    const { outbox } = opened([reply]);
    await outbox.addReport(REPORT);
    const { stoppedBy, refused } = await outbox.send();
    expect(stoppedBy).toBeDefined();
    expect(refused).toEqual([]);
    expect(await outbox.entries()).toHaveLength(1);
  }
});

it('the outbox sets permanently refused entries aside with the reason, and sends the rest', async () => {
  const errors = [{ path: 'position.latitude', message: 'too big' }];
  const { outbox, requests } = opened([
    problem(400, 'bad_report', { errors }),
    json(MADE, 201),
    json(MADE, 201),
  ]);
  await outbox.addReport({ ...REPORT, position: { latitude: 100, longitude: 0 } });
  await outbox.addReport(REPORT);
  const { sent, refused } = await outbox.send();
  expect([sent.length, refused.length]).toEqual([1, 1]);
  expect(refused[0]!.refusal).toMatchObject({ status: 400, code: 'bad_report', errors });
  // It is not sent again by itself.
  await outbox.send();
  expect(requests).toHaveLength(2);
  await outbox.retry(refused[0]!.id);
  expect((await outbox.send()).sent).toHaveLength(1);
  expect(await outbox.entries()).toEqual([]);
});

it('two outboxes of one storage lose nothing that both add at once', async () => {
  const { outbox, storage } = opened([]);
  const other = opened([], storage).outbox;
  await Promise.all([outbox.addReport(REPORT), other.addReport(REPORT)]);
  expect(await outbox.entries()).toHaveLength(2);
});

it('the outbox sends nothing that was discarded, and what was added, while it sends', async () => {
  const made: Reply = async () => {
    await outbox.discard((await outbox.entries())[1]!.id);
    await outbox.addDeletion('mine');
    return json(MADE, 201);
  };
  const { outbox, requests } = opened([made, json(MADE)]);
  await outbox.addReport(REPORT);
  await outbox.addReport(REPORT);
  await outbox.send();
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  expect(await outbox.entries()).toEqual([]);
});

it('the outbox removes discarded entries', async () => {
  const { outbox, storage } = opened([]);
  await outbox.addReport(REPORT);
  const [entry] = await outbox.entries();
  await outbox.discard(entry!.id);
  expect(await outbox.entries()).toEqual([]);
  expect([...storage.texts.values()]).toEqual(['[]']);
});

it('the outbox accepts that a report to be deleted does not exist any more', async () => {
  const { outbox } = opened([problem(410, 'report_gone')]);
  await outbox.addDeletion('mine');
  expect((await outbox.send()).sent).toHaveLength(1);
});

it('the outbox sends each entry once when `send` is called twice at once', async () => {
  const { outbox, requests } = opened([json(MADE, 201)]);
  await outbox.addReport(REPORT);
  await Promise.all([outbox.send(), outbox.send()]);
  expect(requests).toHaveLength(1);
});

it('the outbox loses nothing that is added while it sends', async () => {
  const { outbox } = opened([
    async () => {
      await outbox.addVote('other', 'valid');
      return json(MADE, 201);
    },
  ]);
  await outbox.addReport(REPORT);
  await outbox.send();
  expect((await outbox.entries()).map(({ kind }) => kind)).toEqual(['vote']);
});

it('the outbox loses nothing when many are added at once to a storage that answers late', async () => {
  const { texts } = memoryStorage();
  const late = {
    getItem: async (key: string) => texts.get(key) ?? null,
    setItem: async (key: string, value: string) => void texts.set(key, value),
    removeItem: async (key: string) => void texts.delete(key),
  };
  const outbox = openOutbox(clientWithAnswers([]).client, late);
  await Promise.all(Array.from({ length: 20 }, (_, i) => outbox.addVote(`report-${i}`, 'valid')));
  expect(await outbox.entries()).toHaveLength(20);
});

it('the outbox keeps the entry when sending is aborted', async () => {
  const stop = new AbortController();
  const { outbox } = opened([
    () => {
      stop.abort('closed');
      throw noNetwork();
    },
  ]);
  await outbox.addReport(REPORT);
  await expect(outbox.send({ signal: stop.signal })).rejects.toBe('closed');
  expect(await outbox.entries()).toHaveLength(1);
});

it('the outbox reports the class of the failure that stopped it', async () => {
  const { outbox } = opened([problem(401, 'user_token_invalid')]);
  await outbox.addReport(REPORT);
  expect((await outbox.send()).stoppedBy).toBeInstanceOf(TokenError);
});

it('the outbox sends its entries if the storage is full, and sets rejected ones aside', async () => {
  const { outbox, requests, storage } = opened([
    json(MADE, 201),
    problem(400, 'bad_request'),
    json(MADE),
  ]);
  await outbox.addReport(REPORT);
  await outbox.addVote('other', 'valid');
  await outbox.addDeletion('mine');
  storage.setFull();
  const { sent, refused, stoppedBy } = await outbox.send();
  expect([sent.length, refused.length, stoppedBy]).toEqual([2, 1, undefined]);
  expect(requests).toHaveLength(3);
  expect((await outbox.entries()).map(({ kind }) => kind)).toEqual(['vote']);
});

it('the outbox leaves no part of an entry in a full storage', async () => {
  const { outbox, storage } = opened([]);
  await outbox.addReport(REPORT);
  const before = [...storage.texts];
  const { setItem } = storage;
  // There is room for the entry alone.
  storage.setItem = (key, value) => {
    if (key === 'leadline-outbox') throw new Error('The quota has been exceeded.');
    setItem(key, value);
  };
  await expect(outbox.addReport(REPORT)).rejects.toThrow('quota');
  await expect(outbox.addSoundings({ soundings: [] })).rejects.toThrow('quota');
  expect([...storage.texts]).toEqual(before);
});
