// GET /openapi.json and /docs: the service described by itself.

import * as z from 'zod';
import type { Endpoint } from '../http/endpoint.ts';
import { openApi } from '../http/openapi.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { REFUSALS } from '../runtime/refusals.ts';

/** The two endpoints that describe a list of endpoints, themselves included. */
export function describing(endpoints: readonly Endpoint[]): Endpoint[] {
  const all: Endpoint[] = [...endpoints, openApiDocument(() => all), docsPage(() => all)];
  return all;
}

const openApiDocument = (all: () => readonly Endpoint[]): Endpoint => ({
  method: 'get',
  path: '/openapi.json',
  id: 'getOpenApi',
  summary: 'This service as an OpenAPI 3.1 document.',
  description: 'Made from the endpoints themselves, so that it says what they do.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: {
    200: {
      description: 'OpenAPI 3.1',
      contentType: 'application/json',
      schema: z.record(z.string(), z.unknown()),
    },
  },
  handle: (c) => {
    c.header('cache-control', 'public, max-age=300');
    return c.json(openApi(all(), new URL(c.req.url).origin));
  },
});

const docsPage = (all: () => readonly Endpoint[]): Endpoint => ({
  method: 'get',
  path: '/docs',
  id: 'getDocs',
  summary: 'This service as a page.',
  description: 'The endpoints with their parameters and answers.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: { 200: { description: 'A page', contentType: 'text/html' } },
  handle: (c) => {
    const headers = { ...pageHeaders('text'), 'cache-control': 'public, max-age=300' };
    return c.html(page(all()), 200, headers);
  },
});

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function page(endpoints: readonly Endpoint[]): string {
  const tags = [...new Set(endpoints.map(({ tag }) => tag))];
  const sections = tags.map((tag) => {
    const list = endpoints.filter((endpoint) => endpoint.tag === tag).map(section);
    return `<h2>${escaped(tag)}</h2>${list.join('')}`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Leadline API</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
h3{font:600 15px ui-monospace,monospace;margin-top:2rem}code{background:#eef2f5;padding:0 .25em}
table{border-collapse:collapse;width:100%}td{border-top:1px solid #d5dde3;padding:.25rem .5rem;
vertical-align:top}td:first-child{white-space:nowrap;width:9rem}
tr:target{background:#fff4c2}</style>
<h1>Leadline API</h1><p>Charts served here are <strong>not for navigation</strong>. Send a token as
<code>Authorization: Bearer …</code> or as <code>?token=…</code>. Refusals are
<code>application/problem+json</code> with a stable <code>code</code>. For machines:
<a href="/openapi.json">openapi.json</a>.</p>${sections.join('')}
<h2>Refusals</h2><p>By their <code>code</code>.</p><table>${refusals().join('')}</table></html>`;
}

/** A row a code, which the `type` of a refusal points at. */
const refusals = (): string[] =>
  Object.entries(REFUSALS).map(
    ([code, meaning]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${withCode(meaning)}</td></tr>`,
  );

const withCode = (text: string): string => escaped(text).replace(/`([^`]*)`/g, '<code>$1</code>');

function section(endpoint: Endpoint): string {
  const { method, path, summary, description, access, parameters, answers } = endpoint;
  const rows = [
    ...(parameters ?? []).map(({ name, description }) => [`<code>${name}</code>`, description]),
    ...Object.entries(answers).map(([status, { description }]) => [status, description]),
  ].map(([term, text]) => `<tr><td>${term}</td><td>${escaped(text!)}</td></tr>`);
  const scopes = access.kind === 'token' ? [access.scope, access.orScope ?? []].flat() : [];
  const named = scopes.map((scope) => `<code>${scope}</code>`).join(' or ');
  const scope = named === '' ? '' : ` Scope: ${named}.`;
  return `<h3>${method.toUpperCase()} ${escaped(path)}</h3><p>${escaped(summary)} ${escaped(description)}${scope}</p>
<table>${rows.join('')}</table>`;
}
