// Sends every example of the OpenAPI document to the demo charts: the response is as documented, and the
// documented response has its fields. `npm run examples` records the responses again.

import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import recorded from '../../workers/service/http/answer-examples.json' with { type: 'json' };
import { binAt, publishCrowd } from '../support/crowd-archive.ts';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../support/database.ts';
import { addressOf, type ExampleRequest, exampleRequests } from '../support/example-requests.ts';
import { type ResponseCheck, responseCheck } from '../support/openapi.ts';

let service: ServiceWithDatabase;
let check: ResponseCheck;
let requests: readonly ExampleRequest[];

beforeAll(async () => {
  service = await startServiceWithDatabase({ assetsDir: inject('assets') });
  await publishCrowd(service, [binAt(-19.98, -30.02, { charted: 3, diff: 0.9 })]);
  check = responseCheck((await (await service.get('/openapi.json')).json()) as never);
  requests = await exampleRequests(service, await service.token());
});
afterAll(() => service?.stop());

const sent = new Map<string, Promise<Response>>();

/** The answer to an example, which is sent once. */
function answerTo(request: ExampleRequest): Promise<Response> {
  const answer = sent.get(request.operationId) ?? send(request);
  sent.set(request.operationId, answer);
  return answer;
}

const send = (request: ExampleRequest) =>
  service.get(addressOf(request), {
    method: request.method.toUpperCase(),
    ...(request.body === undefined
      ? {}
      : { body: typeof request.body === 'string' ? request.body : JSON.stringify(request.body) }),
  });

const requestOf = (wanted: string) => requests.find(({ operationId }) => operationId === wanted)!;

it('every operation answers its documented example as it is documented', async () => {
  expect(requests.length).toBeGreaterThan(30);
  const faults: unknown[] = [];
  for (const request of requests) {
    const answer = await answerTo(request);
    const said = await check(request.method, new URL(answer.url).pathname, answer);
    if (!answer.ok || said.length > 0) {
      faults.push([request.operationId, answer.status, said, await answer.clone().text()]);
    }
  }
  expect(faults).toEqual([]);
});

it('a route is found for the documented example', async () => {
  const answer = await answerTo(requestOf('planRoute'));
  expect(await answer.clone().json()).toMatchObject({ success: true });
});

it('something is found near the documented place', async () => {
  const answer = await answerTo(requestOf('queryFeatures'));
  const { results } = (await answer.clone().json()) as { results: object[] };
  expect(results.length).toBeGreaterThan(0);
});

/** Lists in a documented response have at most this many entries. */
const MAX_ENTRIES = 2;
const MAX_CHARACTERS = 160;

/** A response short enough to read, without what differs between two runs. */
function shortened(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    if (key === 'userToken') return 'eyJhbGciOiJIUzI1NiJ9…';
    const text = value.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://charts.example');
    return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  }
  if (Array.isArray(value)) {
    const isPosition = value.length <= 4 && value.every((one) => typeof one === 'number');
    // The ring of a polygon stays closed.
    const isRing =
      value.length > 3 && Array.isArray(value[0]) && `${value[0]}` === `${value.at(-1)}`;
    const kept = isRing ? [...value.slice(0, 3), value[0]] : value.slice(0, MAX_ENTRIES);
    return (isPosition ? value : kept).map((one) => shortened(one));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  // Objects whose keys are names, such as the sources of a style.
  const isMap = key === 'sources' || key === 'metadata';
  return Object.fromEntries(
    (isMap ? entries.slice(0, MAX_ENTRIES) : entries).map(([name, one]) => [
      name,
      shortened(one, name),
    ]),
  );
}

/** The names and types of a value's fields. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}

it('the documented responses have the fields of real ones', async () => {
  const answers: Record<string, unknown> = {};
  for (const request of requests) {
    const answer = await answerTo(request);
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    if (!isJson || request.operationId === 'getOpenApi') continue;
    answers[request.operationId] = shortened(await answer.clone().json());
  }
  if (process.env['LEADLINE_RECORD'] === '1') {
    const path = new URL('../../workers/service/http/answer-examples.json', import.meta.url);
    writeFileSync(path, `${JSON.stringify(answers, null, 2)}\n`);
  } else {
    expect(shapeOf(recorded), 'run `npm run examples` after a change').toEqual(shapeOf(answers));
  }
});
