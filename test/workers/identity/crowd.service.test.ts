// Accounts and what sailors send in: a stopped token writes nothing of any kind, an administrator's
// deletion is written down, and a person who is erased is gone from every endpoint and table.

import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../../support/database.ts';
import { tokensOver } from '../../support/tokens-command.ts';

const REPORTS = '/api/v1/user-reports';
const JANE = 'jane-doe-4711';

let service: ServiceWithDatabase;
let { tokens } = tokensOver('', '');
beforeAll(async () => {
  service = await startServiceWithDatabase({ settings: { USAGE_COUNTING: 'off' } });
  ({ tokens } = tokensOver(service.database.ownerUrl, service.dataDir));
  await tokens('account', 'create', 'acme', '--admin');
});
afterAll(() => service?.stop());

const mint = async (subject: string, ...words: string[]) =>
  (await tokens('mint', '--account', 'acme', '--sub', subject, ...words)).trim();
const send = (token: string, method: string, path: string, body?: object) =>
  service.get(path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const report = (token: string, description: string) =>
  send(token, 'POST', REPORTS, {
    reportType: 'hazard',
    position: { latitude: 47.3, longitude: -122.4 },
    properties: { description },
    externalUserId: `user of ${description}`,
  });
const sound = (token: string, uniqueId: string) =>
  send(token, 'POST', `${REPORTS}/bathymetry`, {
    soundings: [{ latitude: 47.3, longitude: -122.4, depth: 5, time: 1_700_000_000_000 }],
    platform: { uniqueId, name: uniqueId },
  });
const idOf = async (response: Response) => {
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
};

test('a revoked token neither reports, votes, deletes nor sends soundings', async () => {
  const token = await mint('me');
  const id = await idOf(await report(token, 'log adrift'));
  expect((await sound(token, 'boat')).status).toBe(201);
  const rows = async () =>
    (
      await service.database.query(
        `SELECT (SELECT json_agg(r ORDER BY id) FROM user_report r)::text AS reports,
           (SELECT json_agg(v) FROM report_vote v)::text AS votes,
           (SELECT json_agg(t ORDER BY id) FROM track t)::text AS tracks`,
      )
    ).rows;
  const before = await rows();
  await tokens('revoke', decodeJwt(token).jti!, '--local');
  const answers = await Promise.all([
    report(token, 'another'),
    send(token, 'POST', `${REPORTS}/${id}/votes`, { vote: 'valid' }),
    send(token, 'DELETE', `${REPORTS}/${id}`),
    sound(token, 'boat'),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'token_invalid' });
  }
  expect(await rows()).toEqual(before);
});

test('an administrator deletes reports of others, by header or query, and the deletion is recorded', async () => {
  const [owner, admin] = [await mint('owner'), await mint('admin', '--admin')];
  const id = await idOf(await report(owner, 'not so'));
  const another = await idOf(await report(owner, 'nor so'));
  const byQuery = await fetch(`${service.address}${REPORTS}/${id}?token=${admin}`, {
    method: 'DELETE',
  });
  expect(byQuery.status).toBe(200);
  expect((await send(admin, 'DELETE', `${REPORTS}/${another}`)).status).toBe(200);
  const own = await idOf(await report(owner, 'mine'));
  expect((await send(owner, 'DELETE', `${REPORTS}/${own}`)).status).toBe(200);
  const acts = JSON.parse(await tokens('audit', '--json')) as { act: string }[];
  const deletions = acts.filter(({ act }) => act === 'report delete');
  const tokenId = decodeJwt(admin).jti!;
  expect(deletions).toMatchObject([
    { actor: `token:${tokenId}`, tokenId, accountId: 'acme', detail: { report: another } },
    { actor: `token:${tokenId}`, tokenId, accountId: 'acme', detail: { report: id } },
  ]);
});

test('erases a person who sent reports, votes and soundings, and keeps the counts that others see', async () => {
  const [jane, other] = [await mint(JANE), await mint('other')];
  const hers = await idOf(await report(jane, `${JANE} saw a wreck`));
  const others = await idOf(await report(other, 'a buoy is missing'));
  for (const id of [hers, others]) {
    const voted = await send(jane, 'POST', `${REPORTS}/${id}/votes`, { vote: 'valid' });
    expect(voted.status).toBe(200);
  }
  expect((await sound(jane, `boat of ${JANE}`)).status).toBe(201);
  const request = ['erase', '--account', 'acme', '--subject', JANE, '--local', '--yes'];
  expect(await tokens(...request)).toBe(
    'Erased: 1 reports, 2 votes, 1 tracks, 1 tokens, 0 styles, 0 blocks, 0 users.\n',
  );

  expect((await report(jane, 'again')).status).toBe(401);
  const seen = await send(other, 'GET', `${REPORTS}/${hers}`);
  const erased = await seen.json();
  expect(erased).not.toHaveProperty('externalUserId');
  expect(erased).toMatchObject({
    id: hers,
    latitude: 47.3,
    properties: {},
    upvoteCount: 1,
    isOwner: false,
  });
  const voted = await send(other, 'POST', `${REPORTS}/${others}/votes`, { vote: 'valid' });
  expect(await voted.json()).toMatchObject({ upvoteCount: 2 });
  // The id stays in use, without an owner.
  const again = await send(other, 'POST', REPORTS, {
    id: hers,
    reportType: 'hazard',
    position: { latitude: 0, longitude: 0 },
  });
  expect(again.status).toBe(409);
  expect(await again.json()).not.toMatchObject({ owned: true });
  const { rows: tables } = await service.database.query(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  for (const { name } of tables as { name: string }[]) {
    const found = await service.database.query(
      `SELECT t::text FROM ${name} AS t WHERE t::text ILIKE '%${JANE}%'`,
    );
    expect(found.rows, name).toEqual([]);
  }
});
