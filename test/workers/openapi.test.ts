// The OpenAPI document by the rules of a linter that others use, and by what generators of clients
// need.

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, expect, it, vi } from 'vitest';
import { createApp } from '../../workers/service/app.ts';
import type { Env } from '../../workers/service/runtime/env.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly example?: unknown }>>;

let text = '';
let paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {};
beforeAll(async () => {
  // The log of the request.
  vi.spyOn(console, 'log').mockReturnValue(undefined);
  const context = {
    waitUntil: () => undefined,
    passThroughOnException: () => undefined,
    props: {},
  };
  const answer = await createApp().request(
    'https://charts.example/openapi.json',
    {},
    {} as Env,
    context,
  );
  text = await answer.text();
  paths = (JSON.parse(text) as { paths: typeof paths }).paths;
});

const operations = () => Object.values(paths).flatMap((methods) => Object.values(methods));

it('the OpenAPI document has no fault by the recommended rules of a linter', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The addresses are the contract's: `bathymetry/{id}` beside `{id}/votes`.
      'no-ambiguous-paths': 'off',
      // What is public and takes nothing has nothing to refuse.
      'operation-4xx-response': 'off',
      'operation-description': 'error',
      'operation-tag-defined': 'error',
      'tag-description': 'error',
      'parameter-description': 'error',
    },
  });
  const found = await lintFromString({ source: text, config });
  const told = found.map(({ ruleId, message, location }) => [
    ruleId,
    message,
    location[0]?.pointer,
  ]);
  expect(told).toEqual([]);
});

it('the OpenAPI document says of every array what its items are', () => {
  const without: string[] = [];
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, items } = value as { type?: unknown; items?: unknown };
    if (type === 'array' && typeof items !== 'object') without.push(at);
    for (const [name, inner] of Object.entries(value)) walk(inner, `${at}/${name}`);
  };
  walk(JSON.parse(text), '');
  expect(without).toEqual([]);
});

it('the OpenAPI document has an example of every body', () => {
  const without = operations().filter(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).some(({ example }) => example === undefined),
  );
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

it('has an example of every response with JSON', () => {
  const without = operations().flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) => {
      const [type = '', first] = Object.entries(content)[0] ?? [];
      const isDocument = operationId === 'getOpenApi' && status === '200';
      return !type.endsWith('json') || isDocument || first?.example !== undefined
        ? []
        : [`${operationId} ${status}`];
    }),
  );
  expect(without).toEqual([]);
});

it('describes every property and parameter', () => {
  const without: string[] = [];
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'example' || name === 'examples' || name === 'default') continue;
      // The names below `properties` are those of fields, not of keywords.
      if (name !== 'properties') walk(inner, `${at}/${name}`);
      else
        for (const [field, schema] of Object.entries<object>(inner)) {
          if (!isDescribed(schema)) without.push(`${at}/${field}`);
          walk(schema, `${at}/${field}`);
        }
    }
  };
  walk(JSON.parse(text), '');
  expect(without).toEqual([]);
});

/** Whether a property has a description, or is a named schema, which has one. */
const isDescribed = (schema: object) => 'description' in schema || '$ref' in schema;
