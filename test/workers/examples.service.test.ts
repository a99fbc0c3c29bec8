// Sends every example of the OpenAPI document to the demo charts: the response is as documented, and the
// documented response has its fields. `npm run examples` records the responses again.

import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import recorded from '../../workers/service/http/answer-examples.json' with { type: 'json' };
import { type ServiceWithDatabase, startServiceWithDatabase } from '../support/database.ts';
import { type ResponseCheck, responseCheck } from '../support/openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly example: unknown } };
  };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly example?: string | number;
}

let service: ServiceWithDatabase;
let check: ResponseCheck;
let operations: readonly (Operation & { readonly method: string; readonly path: string })[];

beforeAll(async () => {
  service = await startServiceWithDatabase({ assetsDir: inject('assets') });
  const document = (await (await service.get('/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  check = responseCheck(document as never);
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
});
afterAll(() => service?.stop());

/** What must be made first, and where its id stands in the answer: paths of others hold it. */
const MAKERS: readonly (readonly [path: string, maker: string, idIn: (made: Made) => string])[] = [
  ['/api/v1/user-reports/bathymetry/{id}', 'submitBathymetry', ({ tracks }) => tracks![0]!.id],
  ['/api/v1/user-reports/{id}', 'createUserReport', ({ id }) => id!],
  ['/api/portal/v1/styles/{id}', 'createSavedStyle', ({ id }) => id!],
];

interface Made {
  readonly id?: string;
  readonly tracks?: readonly { readonly id: string }[];
}

const sent = new Map<string, Promise<Response>>();

/** The answer to an operation's example, which is sent once. */
function answerTo(operation: (typeof operations)[number]): Promise<Response> {
  const before = sent.get(operation.operationId);
  const answer = before ?? send(operation);
  sent.set(operation.operationId, answer);
  return answer;
}

async function send({ method, path, parameters = [], requestBody }: (typeof operations)[number]) {
  const [, maker, idIn] = MAKERS.find(([start]) => path.startsWith(start)) ?? [];
  const id =
    maker === undefined
      ? undefined
      : idIn!((await (await answerTo(operationOf(maker))).clone().json()) as Made);
  const token = await service.token();
  const query = new URLSearchParams();
  let address = path;
  for (const { name, in: where, required, example } of parameters) {
    const value = String(name === 'token' ? token : (id ?? example));
    if (where === 'path') address = address.replace(`{${name}}`, value);
    if (where === 'query' && required) query.set(name, value);
  }
  const body = requestBody?.content['application/json'].example;
  return service.get(`${address}?${query}`, {
    method: method.toUpperCase(),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const operationOf = (wanted: string) =>
  operations.find(({ operationId }) => operationId === wanted)!;

it('every operation answers its documented example as it is documented', async () => {
  const isDelete = (method: string) => Number(method === 'delete');
  const inOrder = [...operations].sort((a, b) => isDelete(a.method) - isDelete(b.method));
  expect(inOrder.length).toBeGreaterThan(30);
  const faults: unknown[] = [];
  for (const operation of inOrder) {
    const answer = await answerTo(operation);
    const said = await check(operation.method, new URL(answer.url).pathname, answer);
    if (!answer.ok || said.length > 0) {
      faults.push([operation.operationId, answer.status, said, await answer.clone().text()]);
    }
  }
  expect(faults).toEqual([]);
});

it('a route is found for the documented example', async () => {
  const answer = await answerTo(operationOf('planRoute'));
  expect(await answer.clone().json()).toMatchObject({ success: true });
});

it('something is found near the documented place', async () => {
  const answer = await answerTo(operationOf('queryFeatures'));
  const { results } = (await answer.clone().json()) as { results: object[] };
  expect(results.length).toBeGreaterThan(0);
});

/** Lists in a documented response have at most this many entries. */
const MOST_ENTRIES = 2;
const MOST_CHARACTERS = 160;

/** A response short enough to read, without what differs between two runs. */
function shortened(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    if (key === 'userToken') return 'eyJhbGciOiJIUzI1NiJ9…';
    const text = value.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://charts.example');
    return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  }
  if (Array.isArray(value)) {
    const isPosition = value.length <= 4 && value.every((one) => typeof one === 'number');
    // The ring of a polygon stays closed.
    const isRing =
      value.length > 3 && Array.isArray(value[0]) && `${value[0]}` === `${value.at(-1)}`;
    const kept = isRing ? [...value.slice(0, 3), value[0]] : value.slice(0, MOST_ENTRIES);
    return (isPosition ? value : kept).map((one) => shortened(one));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  // Objects whose keys are names, such as the sources of a style.
  const isMap = key === 'sources' || key === 'metadata';
  return Object.fromEntries(
    (isMap ? entries.slice(0, MOST_ENTRIES) : entries).map(([name, one]) => [
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
  for (const operation of operations) {
    const answer = await answerTo(operation);
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    if (!isJson || operation.operationId === 'getOpenApi') continue;
    answers[operation.operationId] = shortened(await answer.clone().json());
  }
  if (process.env['LEADLINE_RECORD'] === '1') {
    const path = new URL('../../workers/service/http/answer-examples.json', import.meta.url);
    writeFileSync(path, `${JSON.stringify(answers, null, 2)}\n`);
  } else {
    expect(shapeOf(recorded), 'run `npm run examples` after a change').toEqual(shapeOf(answers));
  }
});
