// The migration guide: its table is compared with the answers to the documented requests of VectorCharts.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../support/database.ts';
import { type OpenApiDocument, withInlineSchemas } from '../support/openapi.ts';
import {
  DOCUMENTED_REPORT,
  DOCUMENTED_REQUESTS,
  MANAGEMENT_REQUESTS,
  PORTAL_REQUESTS,
} from '../support/vectorcharts.ts';
import type { DocumentedInput, DocumentedRequest } from '../support/vectorcharts-charts.ts';

const GUIDE = readFileSync('workers/web/docs/guides/moving-from-vectorcharts.md', 'utf8');
const VERDICTS = ['equal', 'extended', 'different'] as const;
type Verdict = (typeof VERDICTS)[number];
/** Items of a part of a request, such as its query, with their verdicts. */
type Verdicts = Record<string, Verdict>;

/** Rows of the tables: cells without the outer bars. */
const rows = GUIDE.split('\n')
  .filter((line) => /^\| `(GET|POST|DELETE) /.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
const itemsOf = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, item]) => item!);

/** What the guide says about the parts of a request. */
function claimsOf(name: string): Record<string, Verdicts> {
  const ofRequest = rows.filter(([first, , ...more]) => first === `\`${name}\`` && more.length > 1);
  return Object.fromEntries(
    ofRequest.map(([, part, ...cells]) => [
      part!,
      Object.fromEntries(
        cells.flatMap((cell, i) => itemsOf(cell).map((item) => [item, VERDICTS[i]!])),
      ),
    ]),
  );
}

interface Schema {
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

let service: ServiceWithDatabase;
let paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
let publicToken: string;
/** Ids for the placeholders of paths. */
const ids: Record<string, string> = { report: DOCUMENTED_REPORT.id };

beforeAll(async () => {
  service = await startServiceWithDatabase({ assetsDir: inject('assets') });
  const document = (await (await service.get('/openapi.json')).json()) as OpenApiDocument;
  paths = withInlineSchemas(document.paths, document.components.schemas) as never;
  publicToken = await service.token({ scopes: ['styles', 'reports:write'] });
  ids['token'] = await service.token();
  const { id: _, ...report } = DOCUMENTED_REPORT;
  const made = await send('POST', { path: '/api/v1/user-reports', body: report, token: 'public' });
  ids['public'] = ((await made.json()) as { id: string }).id;
});
afterAll(() => service?.stop());

interface Sent {
  readonly path: string;
  readonly body?: unknown;
  readonly token?: 'none' | 'public';
}

function send(method: string, { path, body, token }: Sent): Promise<Response> {
  const address = path.replace(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole);
  const authorization = token === 'public' ? { authorization: `Bearer ${publicToken}` } : {};
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return token === 'none'
    ? fetch(service.address + address, init)
    : service.get(address, { ...init, headers: authorization });
}

const methodOf = (name: string) => name.split(' ')[0]!;
const templateOf = (name: string) => name.split(' ')[1]!;

/** How a parameter or field of a request compares. */
function inputVerdict(
  theirs: DocumentedInput,
  ours: Schema | undefined,
  isRequired: boolean,
): Verdict {
  if (ours === undefined || (isRequired && theirs.isRequired !== true)) return 'different';
  const values = ours.enum ?? ours.anyOf?.find((one) => one.enum !== undefined)?.enum;
  const lacks = theirs.values?.some((value) => values?.includes(value) === false) === true;
  if (lacks || (theirs.default !== undefined && theirs.default !== ours.default))
    return 'different';
  const hasMore = theirs.values !== undefined && theirs.values.length < (values?.length ?? 0);
  return hasMore || (theirs.isRequired === true && !isRequired) ? 'extended' : 'equal';
}

function parameterVerdicts(
  operation: Operation,
  place: 'query' | 'path',
  theirs: DocumentedRequest['inQuery'] = {},
) {
  return Object.fromEntries(
    Object.entries(theirs).map(([name, input]): [string, Verdict] => {
      const ours = operation.parameters?.find((one) => one.name === name && one.in === place);
      const acceptsToken = operation.security?.some((one) => 'queryToken' in one) === true;
      if (name === 'token' && ours === undefined)
        return [name, acceptsToken ? 'equal' : 'different'];
      return [name, inputVerdict(input, ours?.schema, ours?.required === true)];
    }),
  );
}

function bodyVerdicts(
  { requestBody }: Operation,
  theirs: DocumentedRequest['inBody'] = {},
): Verdicts {
  const whole = requestBody?.content['application/json']?.schema;
  return Object.fromEntries(
    Object.entries(theirs).map(([path, input]): [string, Verdict] => {
      const keys = path.split('.');
      const parent = keys.slice(0, -1).reduce((at, key) => at?.properties?.[key], whole);
      const name = keys.at(-1)!;
      const isRequired = parent?.required?.includes(name) === true;
      return [path, inputVerdict(input, parent?.properties?.[name], isRequired)];
    }),
  );
}

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** All values at a path such as `results[].id`. */
function valuesAt(value: unknown, path: string): unknown[] {
  return path
    .split(/\.|(?=\[\])/)
    .filter((key) => key !== '')
    .reduce<unknown[]>(
      (found, key) =>
        found.flatMap((one) => (key === '[]' ? (one as unknown[]) : [Object(one)[key] as unknown])),
      [value],
    );
}

/** Fields of the response; those that are not documented are extensions. */
function fieldVerdicts({ inResponse = {}, isOpen }: DocumentedRequest, body: unknown): Verdicts {
  const named = Object.entries(inResponse).map(([path, kind]): [string, Verdict] => {
    const kinds = kind.replace('?', '|undefined').split('|');
    const values = valuesAt(body, path);
    const isSame = values.length > 0 && values.every((value) => kinds.includes(kindOf(value)));
    return [path, isSame ? 'equal' : 'different'];
  });
  const parents = new Set(Object.keys(inResponse).map((path) => path.replace(/\.?\w+$/, '')));
  const more = [...parents].flatMap((parent) =>
    valuesAt(body, parent).flatMap((value) =>
      Object.keys(Object(value)).flatMap((key): [string, Verdict][] => {
        const path = parent === '' ? key : `${parent}.${key}`;
        return path in inResponse || Array.isArray(value) ? [] : [[path, 'extended']];
      }),
    ),
  );
  return Object.fromEntries([...named, ...(isOpen === true ? [] : more)]);
}

async function responseVerdicts(request: DocumentedRequest): Promise<Verdicts> {
  const { name, path, body, here, status, contentType } = request;
  const asDocumented = await send(methodOf(name), { path, body });
  expect(asDocumented.status, `${name}: ${await asDocumented.clone().text()}`).toBeLessThan(405);
  const answer =
    here === undefined ? asDocumented : await send(methodOf(name), { path, body, ...here });
  const said = answer.headers.get('content-type') ?? '';
  const json = said.startsWith('application/json') ? await answer.json() : undefined;
  if (name === 'POST /api/portal/v1/styles') ids['style'] = (json as { id: string }).id;
  return {
    [String(status)]: answer.status === status ? 'equal' : 'different',
    ...(contentType === undefined
      ? {}
      : { [contentType]: said.startsWith(contentType) ? 'equal' : 'different' }),
    ...(request.inResponse === undefined ? {} : fieldVerdicts(request, json)),
  };
}

async function outcomeVerdicts({ name, path, body, outcomes = {} }: DocumentedRequest) {
  const verdicts: Verdicts = {};
  for (const [item, { status, field, ...changes }] of Object.entries(outcomes)) {
    const answer = await send(methodOf(name), { path, body, ...changes });
    const hasField = field === undefined || field in ((await answer.json()) as object);
    verdicts[item] = answer.status === status && hasField ? 'equal' : 'different';
  }
  return verdicts;
}

it('compares every documented request truthfully', { timeout: 60_000 }, async () => {
  const [observed, claimed]: Record<string, Record<string, Verdicts>>[] = [{}, {}];
  for (const request of DOCUMENTED_REQUESTS) {
    const { name, inPath = [], inQuery, inBody } = request;
    const operation = paths[templateOf(name)]?.[methodOf(name).toLowerCase()];
    if (operation === undefined) throw new Error(`${name} has no operation.`);
    const parts = {
      path: parameterVerdicts(
        operation,
        'path',
        Object.fromEntries(inPath.map((one) => [one, { isRequired: true }])),
      ),
      query: parameterVerdicts(operation, 'query', inQuery),
      body: bodyVerdicts(operation, inBody),
      response: await responseVerdicts(request),
      status: await outcomeVerdicts(request),
    };
    observed![name] = Object.fromEntries(
      Object.entries(parts).filter(([, items]) => Object.keys(items).length > 0),
    );
    claimed![name] = claimsOf(name);
  }
  expect(claimed).toEqual(observed);
});

it('names only requests that Leadline has instead', () => {
  const named = rows.flatMap((cells) =>
    cells.length === 3 ? itemsOf(cells[2]!).filter((item) => item.includes(' /')) : [],
  );
  expect(named).toContain('GET /api/portal/v1/admin/accounts');
  const isMissing = (name: string) =>
    paths[templateOf(name)]?.[methodOf(name).toLowerCase()] === undefined;
  expect(named.filter(isMissing)).toEqual([]);
});

describe.each([
  ['request of the portal', 2, PORTAL_REQUESTS, true],
  ['management request, and Leadline has none of them', 3, MANAGEMENT_REQUESTS, false],
])('the guide lists every %s', (_, columns, requests, isHere) => {
  it('and no other', () => {
    const listed = rows.flatMap((cells) =>
      cells.length === columns ? itemsOf(cells[0]!).filter((item) => item.includes(' /')) : [],
    );
    expect(listed.sort()).toEqual([...requests].sort());
  });

  it.each(requests)('%s', async (name) => {
    const path = templateOf(name).replace('{id}', '5');
    const answer = await send(methodOf(name), { path });
    if (!isHere) {
      expect([404, 405]).toContain(answer.status);
      return;
    }
    // An id of another account, a missing body and a missing session have codes of their own.
    const { code } = answer.ok ? {} : ((await answer.json()) as { code?: string });
    expect(answer.status).toBeLessThan(500);
    expect(code).not.toBe('not_found');
  });
});
