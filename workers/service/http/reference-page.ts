// The API reference as an HTML page, generated from the OpenAPI document.

import { REFUSALS } from '../runtime/refusals.ts';
import { describeSchema, type FieldRow, fieldsOf } from './describe-schema.ts';
import { escaped } from './escape-html.ts';
import { type OpenApi, type Operation, withInlineSchemas } from './openapi.ts';

/** HTML without scripts. Each operation id and each error code is an anchor. */
export function referencePage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    within: operations.filter(({ tags }) => tags.includes(name)),
  }));
  const contents = groups.map(
    ({ name, within }) =>
      `<li>${escaped(name)}: ${within.map(({ operationId: id, method, path }) => `<a href="#${id}">${method.toUpperCase()} ${escaped(path)}</a>`).join(', ')}</li>`,
  );
  const sections = groups.map(
    ({ name, description, within }) =>
      `<h2>${escaped(name)}</h2><p>${escaped(description)}</p>${within
        .map((operation) => section(operation, document))
        .join('')}`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Leadline API</title>
<style>${STYLE}</style>
<h1>Leadline API</h1><p>Charts served here are <strong>not for navigation</strong>. Send a token as
<code>Authorization: Bearer …</code> or as <code>?token=…</code>. Errors are
<code>application/problem+json</code> documents with a stable <code>code</code>. A field that is
<code>null</code> is treated as absent, and unknown fields are ignored. The same reference as an
OpenAPI document: <a href="/openapi.json">openapi.json</a>.</p><ul>${contents.join('')}</ul>${sections.join('')}
<h2 id="refusals">Errors</h2><p>The <code>code</code> of an error and its meaning.</p>
<table>${refusals().join('')}</table></html>`;
}

const STYLE = `:root{color-scheme:light dark;--line:#8884;--ground:#8882}
body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:3rem}h3{font:600 15px ui-monospace,monospace;margin-top:2.5rem;word-break:break-word}
h4{margin:1rem 0 .25rem}code,pre{background:var(--ground);padding:0 .25em}
pre{padding:.5rem;overflow:auto;max-height:24rem}table{border-collapse:collapse;width:100%}
td{border-top:1px solid var(--line);padding:.25rem .5rem;vertical-align:top}
td:first-child{width:19rem;word-break:break-word}tr:target{background:#ffe9a055}`;

function section(
  operation: Operation & { method: string; path: string },
  { servers, components: { schemas } }: OpenApi,
): string {
  const { operationId, method, path, summary, description, parameters, requestBody } = operation;
  const body = requestBody?.content['application/json'];
  return [
    `<h3 id="${operationId}">${method.toUpperCase()} ${escaped(path)}</h3>`,
    `<p>${withCode(summary)} ${withCode(description)}</p>`,
    table('Parameters', (parameters ?? []).map(parameterRow)),
    requestBody === undefined ? '' : `<h4>Body</h4><p>${withCode(requestBody.description)}.</p>`,
    table('', fieldsOf(withInlineSchemas(body?.schema ?? {}, schemas)).map(fieldRow)),
    `<pre>${escaped(commandOf(operation, servers[0]!.url))}</pre>`,
    table('Responses', Object.entries(operation.responses).map(answerRow)),
    successOf(operation, schemas),
  ].join('');
}

type Row = readonly [term: string, text: string];

function table(heading: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(([term, text]) => `<tr><td>${term}</td><td>${text}</td></tr>`);
  const above = heading === '' ? '' : `<h4>${heading}</h4>`;
  return `${above}<table>${lines.join('')}</table>`;
}

const parameterRow = (parameter: NonNullable<Operation['parameters']>[number]): Row => [
  `<code>${escaped(parameter.name)}</code>${parameter.required ? '' : ' optional'}`,
  `${withCode(parameter.description)}. ${parameter.in}; ${escaped(describeSchema(parameter.schema))}`,
];

const fieldRow = ({ name, words, isRequired, description }: FieldRow): Row => [
  `<code>${escaped(name)}</code>${isRequired ? '' : ' optional'}`,
  `${escaped(words)}${description === undefined ? '' : `. ${withCode(description)}`}`,
];

const answerRow = ([status, { description }]: [string, { description: string }]): Row => [
  status,
  withCode(description),
];

/** The fields and an example of a successful response, collapsed. */
function successOf({ responses }: Operation, schemas: OpenApi['components']['schemas']): string {
  const content = (responses['200'] ?? responses['201'])?.content ?? {};
  const { schema, example } = content['application/json'] ?? content['application/geo+json'] ?? {};
  const rows = fieldsOf(withInlineSchemas(schema ?? {}, schemas)).map(fieldRow);
  return [
    rows.length === 0 ? '' : folded('Response fields', table('', rows)),
    example === undefined
      ? ''
      : folded('Response example', `<pre>${escaped(JSON.stringify(example, null, 2))}</pre>`),
  ].join('');
}

const folded = (heading: string, html: string): string =>
  `<details><summary>${heading}</summary>${html}</details>`;

/** The documented example as a curl command. */
function commandOf(operation: Operation & { method: string; path: string }, server: string) {
  const { method, path, parameters = [], requestBody, security } = operation;
  const needed = parameters.filter(({ required }) => required);
  const query = needed
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }) => `${name}=${name === 'token' ? '$TOKEN' : (example ?? '…')}`);
  const filled = needed
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (address, { name, example }) => address.replace(`{${name}}`, `${example ?? 'ID'}`),
      path,
    );
  const takesHeader = security.some((way) => 'bearer' in way);
  const body = requestBody?.content['application/json']?.example;
  return [
    'curl',
    method === 'get' || (method === 'post' && body !== undefined)
      ? ''
      : `-X ${method.toUpperCase()}`,
    takesHeader ? '-H "Authorization: Bearer $TOKEN"' : '',
    body === undefined ? '' : `-d '${JSON.stringify(body)}'`,
    `"${server}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}"`,
  ]
    .filter((word) => word !== '')
    .join(' ');
}

/** One row per error code; the `type` of a problem document links to it. */
const refusals = (): string[] =>
  Object.entries(REFUSALS).map(
    ([code, meaning]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${withCode(meaning)}</td></tr>`,
  );

const withCode = (text: string): string => escaped(text).replace(/`([^`]*)`/g, '<code>$1</code>');
