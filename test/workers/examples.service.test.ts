// Every example of the OpenAPI document, sent as it stands there to the demo charts: what it answers
// is what is documented.

import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type ResponseCheck, responseCheck } from '../support/openapi.ts';
import { type Service, startService } from '../support/service.ts';

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

let service: Service;
let database: TestDatabase;
let check: ResponseCheck;
let operations: readonly (Operation & { readonly method: string; readonly path: string })[];

beforeAll(async () => {
  database = await freshDatabase();
  service = await startService({
    charts: inject('demoCharts'),
    database: database.bindings,
    assetsDir: inject('assets'),
  });
  const document = (await (await service.get('/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  check = responseCheck(document as never);
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
});
afterAll(async () => {
  await service?.stop();
  await database?.stop();
});

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
    const value = String(name === 'token' ? token : (example ?? id));
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
