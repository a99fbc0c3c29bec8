// GET /api/v1/names through the real runtime with the demo charts. Each response is checked against the
// OpenAPI document.

import { expect } from 'vitest';
import type { NamesAnswer } from '../../shared/contract/names.ts';
import { demoTest as test } from '../support/fixtures.ts';
import type { ResponseCheck } from '../support/openapi.ts';
import type { Service } from '../support/service.ts';

let service: Service;
let check: ResponseCheck;

test.beforeAll(({ service: sharedService, check: sharedCheck }) => {
  service = sharedService;
  check = sharedCheck;
});

const get = async (query: string, init: RequestInit = {}): Promise<Response> => {
  const path = `/api/v1/names?${query}`;
  const response = await service.get(path, init);
  expect(await check('GET', path, response)).toEqual([]);
  return response;
};

const ask = async (query: string): Promise<NamesAnswer> => {
  const response = await get(query);
  expect(response.status).toBe(200);
  return (await response.json()) as NamesAnswer;
};

test('a name is found by the beginning of any of its words, in any case', async () => {
  const { names, isComplete } = await ask('q=wick&limit=50');
  expect(isComplete).toBe(true);
  expect(names[0]!.name.toLowerCase()).toContain('wick');
  for (const { name, nationalName } of names) {
    expect(`${name} ${nationalName ?? ''}`).toMatch(/\bwick/i);
  }
  for (const query of ['q=WICK', 'q=%20wick%20', 'q=w%C3%ADck']) {
    expect((await ask(`${query}&limit=50`)).names).toEqual(names);
  }
});

test('a name is returned with the position at which the chart shows it', async () => {
  const { names } = await ask('q=wick&limit=1');
  const [{ position, zoom, objectClass, name }] = names as [NamesAnswer['names'][0]];
  const response = await service.get('/api/v1/enc_query', {
    method: 'POST',
    body: JSON.stringify({ position, radius: 20_000, zoom }),
  });
  const { results } = (await response.json()) as {
    results: { layerId: string; attributes: { objectName?: string } }[];
  };
  expect(
    results.some(
      ({ layerId, attributes }) => layerId === objectClass && attributes.objectName === name,
    ),
  ).toBe(true);
});

test('equally good matches are sorted by distance and limited to the requested number', async () => {
  const { names } = await ask('q=wick&limit=50');
  const far = names.at(-1)!;
  const { longitude, latitude } = far.position;
  const near = await ask(`q=${encodeURIComponent(far.name)}&near=${longitude},${latitude}&limit=1`);
  expect(near.names.map(({ name }) => name)).toEqual([far.name]);
  const first = await ask('q=wick&limit=2');
  expect([first.names.length, first.isComplete]).toEqual([2, names.length <= 2]);
});

test('an unknown name gives an empty list', async () => {
  expect(await ask('q=zzzzqq')).toEqual({ names: [], isComplete: true });
});

test.each([
  ['no name', '', 'q'],
  ['a name without a letter', 'q=---', 'q'],
  ['a name of 101 letters', `q=${'a'.repeat(101)}`, 'q'],
  ['a name of 101 characters of two units', `q=${'𠀀'.repeat(101)}`, 'q'],
  ['two names', 'q=a&q=b', 'q'],
  ['half a position', 'q=wick&near=1', 'near'],
  ['a position beyond a pole', 'q=wick&near=1,91', 'near'],
  ['an invalid position', 'q=wick&near=a,b', 'near'],
  ['a limit of 0', 'q=wick&limit=0', 'limit'],
  ['too high a limit', 'q=wick&limit=51', 'limit'],
])('a search with %s is 400', async (_what, query, field) => {
  const response = await get(query);
  const problem = (await response.json()) as { code: string; errors: { path: string }[] };
  expect([response.status, problem.code]).toEqual([400, 'bad_query']);
  expect(problem.errors.map(({ path }) => path)).toEqual([field]);
});

test('a name of 100 characters of two units is accepted', async () => {
  expect((await get(`q=${'𠀀'.repeat(100)}`)).status).toBe(200);
});

test('a search without a token is 401', async () => {
  const bare = await fetch(`${service.address}/api/v1/names?q=wick`);
  expect(bare.status).toBe(401);
});
