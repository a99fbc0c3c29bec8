// The OpenAPI document: the rules of a common linter, and the requirements of client generators.

import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { beforeAll, expect, it, vi } from 'vitest';
import { createApp } from '../../workers/service/app.ts';
import type { Env } from '../../workers/service/runtime/env.ts';

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly description: string;
    readonly schema: object;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Content; readonly headers?: Readonly<Record<string, unknown>> }
    >
  >;
}

type Content = Readonly<
  Record<string, { readonly example?: unknown; readonly schema: { readonly items?: object } }>
>;

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

it('the OpenAPI document passes the recommended rules of a linter', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The contract requires both `bathymetry/{id}` and `{id}/votes`.
      'no-ambiguous-paths': 'off',
      // A public endpoint without parameters has no 4xx response.
      'operation-4xx-response': 'off',
      'operation-description': 'error',
      'operation-tag-defined': 'error',
      'tag-description': 'error',
      'parameter-description': 'error',
    },
  });
  const found = await lintFromString({ source: text, config });
  const problems = found.map(({ ruleId, message, location }) => [
    ruleId,
    message,
    location[0]?.pointer,
  ]);
  expect(problems).toEqual([]);
});

it('the OpenAPI document passes all rules of a second linter', async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({
    // The types of the two packages disagree about rulesets.
    extends: [[rulesets.oas as never, 'all']],
    rules: {
      // The service does not know a mail address of its operator.
      'contact-properties': 'off',
      // The reference shows the tags in the order in which a developer needs them.
      'openapi-tags-alphabetical': 'off',
    },
  });
  const found = await linter.run(text);
  expect(found.map(({ code, message, path }) => [code, message, path.join('/')])).toEqual([]);
});

it('the OpenAPI document has a named schema for each JSON body', () => {
  const inline = operations().flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((body) =>
      Object.entries(body?.content ?? {})
        .filter(([type, { schema }]) => type.endsWith('json') && !isNamed(schema))
        .map(([type]) => `${operationId} ${type}`),
    ),
  );
  expect(inline).toEqual([]);
});

/** Whether a schema is a reference, or an array of references. */
const isNamed = (schema: Content[string]['schema']) => '$ref' in (schema.items ?? schema);

it('the OpenAPI document has the header of end users where they own what is sent', () => {
  const without = operations().filter(
    ({ operationId, description, parameters = [] }) =>
      /Required scope: `(reports|bathymetry):write`/.test(description) &&
      operationId !== 'createUserToken' &&
      parameters.every(({ name }) => name !== 'Leadline-User'),
  );
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

it('the OpenAPI document describes the items of each array', () => {
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

it('the OpenAPI document has an example of each request body', () => {
  const without = operations().filter(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).some(({ example }) => example === undefined),
  );
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

it('the OpenAPI document has an example of each JSON response', () => {
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

it('the OpenAPI document describes each property and parameter', () => {
  const without: string[] = [];
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'example' || name === 'examples' || name === 'default') continue;
      // The keys below `properties` are field names, not keywords.
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

/** Numbers that may have any value: attributes of the cells, and fields that are wrapped or limited. */
const WITHOUT_RANGE = /ttributes\/additionalProperties\/|\/EncQuery\/properties\//;

it('the OpenAPI document has a range for each number', () => {
  const without: string[] = [];
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isNumber(value) && !isRanged(value)) without.push(at);
    for (const [name, inner] of Object.entries(value)) {
      if (!VALUES.has(name)) walk(inner, `${at}/${name}`);
    }
  };
  walk(JSON.parse(text), '');
  expect(without.filter((at) => !WITHOUT_RANGE.test(at))).toEqual([]);
});

/** Keywords whose contents are values and not schemas. */
const VALUES = new Set(['example', 'examples', 'default', 'const', 'enum']);

const isNumber = ({ type }: { readonly type?: unknown }): boolean =>
  [type].flat().some((one) => one === 'number' || one === 'integer');

const isRanged = (schema: object): boolean =>
  'enum' in schema ||
  'const' in schema ||
  (('minimum' in schema || 'exclusiveMinimum' in schema) &&
    ('maximum' in schema || 'exclusiveMaximum' in schema));

it('the OpenAPI document states the default of each optional parameter with a fixed set of values', () => {
  const without = operations().flatMap(({ operationId, parameters = [] }) =>
    parameters
      .filter(({ required, schema }) => required !== true && isChoice(schema))
      .filter(
        ({ schema, description }) => !('default' in schema) && !/\bdefault\b/.test(description),
      )
      .map(({ name }) => `${operationId} ${name}`),
  );
  expect(without).toEqual([]);
});

const isChoice = (schema: object) =>
  'enum' in schema || ('type' in schema && schema.type === 'boolean');

it('responses name the headers that clients act on', () => {
  const namesOf = (id: string) => {
    const { responses } = operations().find(({ operationId }) => operationId === id)!;
    return Object.entries(responses).flatMap(([status, { headers = {} }]) =>
      Object.keys(headers).map((name) => `${status} ${name}`),
    );
  };
  expect(namesOf('getEncTile')).toEqual([
    '200 ETag',
    '304 ETag',
    '429 Retry-After',
    '503 Retry-After',
  ]);
  expect(namesOf('getRegion')).toEqual(
    expect.arrayContaining(['206 Content-Range', '416 Content-Range']),
  );
});
