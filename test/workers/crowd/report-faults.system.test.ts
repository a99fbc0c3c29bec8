// Reports while the database is killed, hangs, is slow or loses its responses: acknowledged reports
// exist, other requests are rejected in time, and charts are not affected.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DATABASE_LIMIT_MS } from '../../../workers/service/db/ask-database.ts';
import {
  type Caller,
  type CrowdService,
  HAZARD,
  REPORTS,
  type ReportBody,
  startCrowdService,
} from '../../support/crowd-service.ts';
import { type MortalDatabase, mortalDatabase } from '../../support/database.ts';
import {
  databaseBehindProxy,
  type FaultyProxy,
  type ProxyFault,
} from '../../support/faulty-proxy.ts';
import { type Answer, closeConnections, jsonOf } from '../../support/http-client.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const VOTERS = 24;
const VOTES = isLong ? 4000 : 240;
const ROUNDS = isLong ? 400 : 12;
const TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';

const expectRefused = (answer: Answer, codes: readonly string[]) => {
  expect(answer.status).toBe(503);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(codes).toContain(jsonOf(answer).code);
};
const expectUnavailable = (answer: Answer) => expectRefused(answer, ['database_unavailable']);
/** Expects the refusal of a write whose answer from the database was lost. */
const expectUnknown = (answer: Answer) => expectRefused(answer, ['outcome_unknown']);
const expectEither = (answer: Answer) =>
  expectRefused(answer, ['database_unavailable', 'outcome_unknown']);

afterAll(closeConnections);

test('the time limit of the database is less than three seconds', () => {
  expect(DATABASE_LIMIT_MS).toBeLessThan(3000);
});

describe('a server that is killed under load and started again', () => {
  let database: MortalDatabase;
  let crowd: CrowdService;
  beforeAll(async () => {
    database = await mortalDatabase();
    crowd = await startCrowdService({}, database);
  });
  afterAll(() => crowd?.stop());

  test(`a server that is killed under load and started again has every vote that was acknowledged, of ${VOTES}, and counts them all; tiles are served throughout`, async () => {
    const anna = await crowd.caller({ subject: 'anna', scopes: ['tiles', 'reports:write'] });
    const server = await crowd.caller({ subject: 'server', votesForUsers: true });
    const { id } = await anna.report();
    const acknowledged = new Map<string, number>();
    const statuses = new Map<number, number>();
    const tiles = new Set<number>();
    let sent = 0;
    let isOver = false;
    const voter = async () => {
      while (sent < VOTES) {
        const user = `u${sent++}`;
        const vote = sent % 3 ? 'valid' : 'invalid';
        const answer = await server.vote(id, vote, { externalUserId: user });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 200) acknowledged.set(user, vote === 'valid' ? 1 : -1);
        else {
          expectEither(answer);
          // As told, and not for so long.
          await new Promise((done) => setTimeout(done, 50));
        }
      }
    };
    const chart = async () => {
      while (!isOver) tiles.add((await anna.get(TILE)).status);
    };
    const disaster = async () => {
      while (acknowledged.size < VOTES / 4) await new Promise((done) => setTimeout(done, 5));
      database.kill();
      while (!statuses.has(503)) await new Promise((done) => setTimeout(done, 5));
      await database.restart();
    };
    const watching = chart();
    await Promise.all([disaster(), ...Array.from({ length: VOTERS }, voter)]);
    isOver = true;
    await watching;
    expect([...statuses.keys()].sort()).toEqual([200, 503]);
    expect([...tiles]).toEqual([200]);

    // It answers again after its rest.
    let answer = await server.vote(id, 'valid', { externalUserId: 'last' });
    while (answer.status === 503)
      answer = await server.vote(id, 'valid', { externalUserId: 'last' });
    acknowledged.set('last', 1);
    const { rows } = await database.query(
      'SELECT external_user_id AS user, value FROM report_vote',
    );
    const kept = new Map(rows.map(({ user, value }) => [user, value]));
    const lost = [...acknowledged].filter(([user, value]) => kept.get(user) !== value);
    expect(lost).toEqual([]);
    const body = jsonOf(answer) as ReportBody;
    const up = rows.filter(({ value }) => value === 1).length;
    expect([body.upvoteCount, body.downvoteCount]).toEqual([up, rows.length - up]);
  });
});

describe('a proxy', () => {
  let proxy: FaultyProxy;
  let crowd: CrowdService;
  let anna: Caller;
  beforeAll(async () => {
    const behind = await databaseBehindProxy();
    proxy = behind.proxy;
    crowd = await startCrowdService({}, behind.database);
    // A secret token: public tokens may not delete.
    const scopes = ['styles', 'tiles', 'reports:write', 'bathymetry:write'] as const;
    anna = await crowd.caller({ subject: 'anna', scopes });
  });
  /** Waits until the pause after a fault is over. */
  const untilItAnswers = async () => {
    while ((await anna.get(REPORTS)).status === 503) {
      await new Promise((done) => setTimeout(done, 250));
    }
  };
  afterEach(async () => {
    proxy.decide = () => 'none';
    await untilItAnswers();
  });
  afterAll(async () => {
    await crowd?.stop();
  });

  const always = (fault: ProxyFault) => {
    proxy.decide = () => fault;
  };
  /** The given fault for one question in so many, at random. */
  const sometimes = (fault: ProxyFault, share: number) => {
    const random = seededRandom(20_261_206);
    proxy.decide = () => (random() < share ? fault : 'none');
  };

  test('a proxy that hangs is 503, while charts are served', async () => {
    const { id } = await anna.report();
    always('hang');
    const [tiles, made, vote, removed, ...reads] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => anna.get(TILE))),
      anna.post(REPORTS, HAZARD),
      anna.vote(id, 'valid'),
      anna.delete(`${REPORTS}/${id}`),
      anna.get(`${REPORTS}/${id}`),
      anna.get(REPORTS),
    ]);
    for (const answer of reads) expectUnavailable(answer);
    // The id lets the client ask for the outcome later.
    expect(jsonOf(made).id).toMatch(/^[0-9a-f-]{36}$/);
    for (const answer of [vote, removed]) expect(jsonOf(answer).id).toBe(id);
    for (const answer of [made, vote, removed]) expectUnknown(answer);
    expect(new Set(tiles.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('a proxy that is slow is no fault', async () => {
    always('slow');
    const { id } = await anna.report();
    expect((await anna.vote(id, 'valid')).status).toBe(200);
    expect((await anna.delete(`${REPORTS}/${id}`)).status).toBe(200);
  });

  test('a proxy that loses an answer after the commit once: the same outcome, once', async () => {
    const once = (fault: ProxyFault) => {
      let left = 1;
      proxy.decide = () => (left-- > 0 ? fault : 'none');
    };
    const lostBefore = proxy.lost;
    const id = randomUUID();
    once('lose-answer');
    expect((await anna.post(REPORTS, { ...HAZARD, id })).status).toBe(201);
    once('lose-answer');
    expect(jsonOf(await anna.vote(id, 'valid'))).toMatchObject({
      upvoteCount: 1,
      downvoteCount: 0,
    });
    once('lose-answer');
    expect(jsonOf(await anna.delete(`${REPORTS}/${id}`))).toMatchObject({
      upvoteCount: 1,
      deletedAt: expect.any(Number),
    });
    expect(proxy.lost - lostBefore).toBe(3);
    expect((await anna.delete(`${REPORTS}/${id}`)).status).toBe(410);
  });

  test('creates a report once if a proxy loses the response and another user votes before the second attempt', async () => {
    const description = randomUUID();
    let asked = 0;
    proxy.decide = (question) => {
      if (!question.includes(description)) return 'none';
      if (++asked === 1) return 'lose-answer';
      // As a vote does, while the attempt is on its way.
      void crowd.database.query(
        `UPDATE user_report SET last_request = gen_random_uuid()
         WHERE properties->>'description' = $1`,
        [description],
      );
      return 'slow';
    };
    const made = await anna.post(REPORTS, { ...HAZARD, properties: { description } });
    expect([asked, made.status]).toEqual([2, 201]);
    const { rows } = await crowd.database.query(
      `SELECT id FROM user_report WHERE properties->>'description' = $1`,
      [description],
    );
    expect(rows).toEqual([{ id: jsonOf(made).id }]);
  });

  test('a proxy that loses every answer: the outcome is unknown, and the client that comes again finds its report', async () => {
    const id = randomUUID();
    always('lose-answer');
    expectUnknown(await anna.post(REPORTS, { ...HAZARD, id }));
    proxy.decide = () => 'none';
    let again = await anna.post(REPORTS, { ...HAZARD, id });
    while (again.status === 503) {
      await new Promise((done) => setTimeout(done, 250));
      again = await anna.post(REPORTS, { ...HAZARD, id });
    }
    expect([again.status, jsonOf(again).owned]).toEqual([409, true]);
  });

  test.each(['lose-answer', 'reset', 'broken'] as const)(
    'a proxy that does %s to three in ten: nothing acknowledged is lost, nothing counts twice',
    async (fault) => {
      sometimes(fault, 0.3);
      const made = new Set<string>();
      const counts = new Map<number, number>();
      const count = ({ status }: Answer) => counts.set(status, (counts.get(status) ?? 0) + 1);
      for (let round = 0; round < ROUNDS; round++) {
        const id = randomUUID();
        const answer = await anna.post(REPORTS, { ...HAZARD, id });
        count(answer);
        if (answer.status !== 201) {
          expectEither(answer);
          await untilItAnswers();
          continue;
        }
        made.add(id);
        const vote = await anna.vote(id, 'valid');
        count(vote);
        if (vote.status === 200) expect(jsonOf(vote).upvoteCount).toBe(1);
      }
      expect([...counts.keys()].every((status) => [200, 201, 503].includes(status))).toBe(true);
      // One retry gets most of them through.
      expect(made.size).toBeGreaterThan(ROUNDS / 2);
      const { rows } = await crowd.database.query(
        `SELECT count(*)::int AS number, count(*) FILTER (WHERE upvotes > 1)::int AS twice
         FROM user_report WHERE id = ANY ($1)`,
        [[...made]],
      );
      expect(rows).toEqual([{ number: made.size, twice: 0 }]);
    },
  );
});
