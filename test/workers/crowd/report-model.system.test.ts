// Compares the service with the rules in `report-rules.ts`: random commands of several users, each
// response, and each row at the end.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  LIFETIMES_MS,
  REPORT_KINDS,
  type Report,
  stateOf,
  type Vote,
} from '../../../shared/reports/report.ts';
import {
  type Caller,
  type CrowdService,
  REPORTS,
  type ReportBody,
  startCrowdService,
} from '../../support/crowd-service.ts';
import { type Answer, closeConnections, jsonOf } from '../../support/http-client.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { decideDeletion, decideVote, type Voter, withVote } from './report-rules.ts';

const COMMANDS = isLong ? 20_000 : 400;
const SEED = 20_261_205;
const RULES = { allowSelfVote: false, netToExpire: 4 };

interface User {
  readonly account: string;
  readonly subject: string;
  readonly isAdmin: boolean;
  readonly votesForUsers: boolean;
  readonly caller: Caller;
}

let crowd: CrowdService;
let users: User[];
beforeAll(async () => {
  crowd = await startCrowdService({ ALLOW_SELF_VOTE: 'off', EXPIRE_NET_INVALID: '4' });
  const user = async (account: string, subject: string, more: Partial<User> = {}) => ({
    account,
    subject,
    isAdmin: false,
    votesForUsers: false,
    ...more,
    caller: await crowd.caller({
      account,
      subject,
      votesForUsers: more.votesForUsers === true,
      scopes: [
        ...(['styles', 'reports:write', 'bathymetry:write'] as const),
        ...(more.isAdmin ? (['reports:admin'] as const) : []),
      ],
      expiresInSeconds: 7200,
    }),
  });
  users = await Promise.all([
    user('one', 'anna'),
    user('one', 'ben'),
    user('two', 'anna'),
    user('two', 'server', { votesForUsers: true }),
    user('three', 'root', { isAdmin: true }),
  ]);
});
afterAll(async () => {
  closeConnections();
  await crowd?.stop();
});

/** The expected rows of the service's tables. */
const reports = new Map<string, Report>();
const votes = new Map<string, Vote>();

const STATUS = { done: 200, missing: 404, gone: 410, forbidden: 403 } as const;

/** The report as the user should be answered it. */
function shown(report: Report, { account, subject }: User): ReportBody {
  const isOwner = report.owner.account === account && report.owner.subject === subject;
  return {
    id: report.id,
    reportType: report.kind,
    latitude: report.latitude,
    longitude: report.longitude,
    properties: JSON.parse(report.properties),
    upvoteCount: report.upvotes,
    downvoteCount: report.downvotes,
    isOwner,
    ...(report.owner.account === account && report.externalUserId !== null
      ? { externalUserId: report.externalUserId }
      : {}),
    namespace: report.namespace,
    createdAt: report.createdAt,
    updatedAt: report.updatedAt,
    expiredAt: report.expiredAt,
    deletedAt: report.deletedAt,
  };
}

const random = seededRandom(SEED);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
/** Mostly of the latest, so that much happens to each. */
const someId = (): string => {
  const ids = [...reports.keys()];
  if (ids.length === 0 || random() < 0.03) return randomUUID();
  return random() < 0.9 ? pick(ids.slice(-12)) : pick(ids);
};
const someUser = () => pick([undefined, 'u1', 'u2', 'u3']);

async function create(user: User): Promise<void> {
  const id = random() < 0.15 ? someId() : randomUUID();
  const kind = pick(REPORT_KINDS);
  const externalUserId = someUser() ?? null;
  const [latitude, longitude] = [random() * 180 - 90, random() * 360 - 180];
  const properties = { description: `report ${reports.size}` };
  const position = { latitude, longitude };
  const answer = await user.caller.post(REPORTS, {
    id,
    reportType: kind,
    position,
    properties,
    externalUserId,
  });
  const known = reports.get(id);
  expect(answer.status).toBe(known === undefined ? 201 : 409);
  const body = jsonOf(answer);
  if (known !== undefined) {
    const isTheirs = known.owner.account === user.account && known.owner.subject === user.subject;
    expect(body.owned).toBe(isTheirs ? true : undefined);
    return;
  }
  const { createdAt } = body as ReportBody;
  const report: Report = {
    id,
    owner: { account: user.account, subject: user.subject },
    externalUserId,
    namespace: 'public',
    kind,
    latitude,
    longitude,
    properties: JSON.stringify(properties),
    upvotes: 0,
    downvotes: 0,
    createdAt,
    updatedAt: createdAt,
    expiresAt: createdAt + LIFETIMES_MS[kind],
    expiredAt: null,
    deletedAt: null,
  };
  expect(body).toEqual(shown(report, user));
  reports.set(id, report);
}

async function vote(user: User): Promise<void> {
  const id = someId();
  const value = random() < 0.45 ? 1 : -1;
  const externalUserId = someUser();
  const answer = await user.caller.vote(id, value === 1 ? 'valid' : 'invalid', { externalUserId });
  const voter: Voter = { ...user, user: user.votesForUsers ? (externalUserId ?? '') : '' };
  const report = reports.get(id);
  const nowMs = Date.now();
  const outcome = decideVote({ report, voter, allowSelfVote: RULES.allowSelfVote, nowMs });
  expect(answer.status).toBe(STATUS[outcome]);
  if (outcome !== 'done' || report === undefined) return;
  const key = JSON.stringify([id, voter.account, voter.subject, voter.user]);
  const body = jsonOf(answer) as ReportBody;
  // The service's own time of the vote, at most a little ahead where votes came within a millisecond.
  const lifetimeMs = LIFETIMES_MS[report.kind];
  const expected = withVote(
    report,
    { vote: value, former: votes.get(key), nowMs: body.updatedAt },
    { ...RULES, lifetimeMs },
  );
  expect(body.updatedAt).toBeGreaterThan(report.updatedAt);
  const { expiredAt } = body;
  expect(expiredAt === null).toBe(expected.expiredAt === null);
  const after = { ...expected, expiredAt };
  expect(body).toEqual(shown(after, user));
  votes.set(key, value);
  reports.set(id, after);
}

async function remove(user: User): Promise<void> {
  const id = someId();
  const answer = await user.caller.delete(`${REPORTS}/${id}`);
  const report = reports.get(id);
  const outcome = decideDeletion(report, user);
  expect(answer.status).toBe(STATUS[outcome]);
  if (outcome !== 'done' || report === undefined) return;
  const { deletedAt } = jsonOf(answer) as ReportBody;
  expect(deletedAt).toBeGreaterThanOrEqual(report.createdAt);
  const after = { ...report, deletedAt };
  expect(jsonOf(answer)).toEqual(shown(after, user));
  reports.set(id, after);
}

/** Its time is over; the sweep comes or does not. */
async function expire(): Promise<void> {
  const report = reports.get(someId());
  if (report === undefined || stateOf(report, Date.now()) !== 'active') return;
  const at = report.createdAt;
  await crowd.database.query(
    'UPDATE user_report SET expires_at = created_at, sweep_at = created_at WHERE id = $1',
    [report.id],
  );
  if (random() < 0.5) await crowd.database.query('SELECT sweep_reports($1, 500)', [Date.now()]);
  reports.set(report.id, { ...report, expiresAt: at, expiredAt: at });
}

async function read(user: User): Promise<void> {
  const id = someId();
  const answer = await user.caller.get(`${REPORTS}/${id}`);
  const report = reports.get(id);
  if (report === undefined) return expect(answer.status).toBe(404);
  const isOver = stateOf(report, Date.now()) !== 'active';
  expect(answer.status).toBe(isOver && !user.isAdmin ? 410 : 200);
  if (answer.status === 200) expect(jsonOf(answer)).toEqual(shown(report, user));
}

async function list(user: User): Promise<void> {
  const answer: Answer = await user.caller.get(`${REPORTS}?limit=50`);
  const active = [...reports.values()]
    .filter((report) => stateOf(report, Date.now()) === 'active')
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    .slice(0, 50);
  expect(jsonOf(answer).reports).toEqual(active.map((report) => shown(report, user)));
}

test(`${COMMANDS} commands of five users have the outcomes of the rules (seed ${SEED})`, async () => {
  const commands = [
    ...new Array(3).fill(create),
    ...new Array(8).fill(vote),
    remove,
    expire,
    read,
    list,
  ];
  for (let at = 0; at < COMMANDS; at++) {
    await pick(commands)(pick(users));
  }
  const { rows } = await crowd.database.query(
    `SELECT id, upvotes, downvotes, created_at::float8, updated_at::float8, expires_at::float8,
       expired_at::float8, deleted_at::float8 FROM user_report ORDER BY id`,
  );
  const expected = [...reports.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(rows.length).toBe(expected.length);
  for (const [at, row] of rows.entries()) {
    const report = expected[at]!;
    expect(row).toMatchObject({
      id: report.id,
      upvotes: report.upvotes,
      downvotes: report.downvotes,
      created_at: report.createdAt,
      updated_at: report.updatedAt,
      deleted_at: report.deletedAt,
    });
    // The time of a vote in its row equals the response, or is slightly earlier for votes in one millisecond.
    expect(Math.abs(row.expires_at - report.expiresAt), report.id).toBeLessThan(1000);
  }
  const counted = await crowd.database.query('SELECT count(*)::int AS number FROM report_vote');
  expect(counted.rows).toEqual([{ number: votes.size }]);
  // Everything the rules know of has happened.
  const states = new Set([...reports.values()].map((report) => stateOf(report, Date.now())));
  expect(states).toEqual(new Set(['active', 'expired', 'deleted']));
});
