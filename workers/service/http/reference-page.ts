// The API reference as an HTML page. A script shows the OpenAPI document below the introduction; the
// errors are in the page itself.

import { REFUSALS } from '../runtime/refusals.ts';
import { escaped } from './escape-html.ts';
import { pageNavigation } from './page-navigation.ts';

/** HTML that shows `/openapi.json`. Each error code is an anchor, to which problem documents link. */
export const referencePage = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<title>Leadline API</title>
<link rel="icon" href="/page/icon.svg">
<link rel="stylesheet" href="/page/docs.css">
</head>
<body>
<header><strong>Leadline</strong>
${pageNavigation('/docs')}</header>
<openapi-explorer spec-url="/openapi.json" schema-expand-level="2"
 hide-server-selection hide-authentication>
<div slot="overview">
<h1>Leadline API</h1>
<p>Nautical chart tiles, styles, queries, routes and crowdsourced reports.
Charts served here are <strong>not for navigation</strong>.</p>
<h2>1. Get a token</h2>
<p>On your own machine: <code>npm run tokens -- mint --sub me --pilot</code>. From a hosted service: create
one in the <a href="/portal">portal</a>, or ask its operator. See the guide <a href="/docs/guides/tokens-and-origins">Tokens and origins</a>. Send it as <code>Authorization: Bearer …</code> or as <code>?token=…</code>.</p>
<p><label for="token">Your token, for the requests of this page. It is not stored.</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="Paste a token"></p>
<h2>2. Send a request</h2>
<p>Choose an operation and press <em>Execute</em>, or copy its sample. A field that is <code>null</code> is treated
as absent, and unknown fields and parameters are ignored (the import of a log rejects unknown parameters). A parameter that differs from
a known one only in capitals, <code>-</code> or <code>_</code> is an error. Errors are <code>application/problem+json</code> documents with a
stable <code>code</code>: see the <a href="#errors">list of errors</a>. The reference as an OpenAPI document:
<a href="/openapi.json">openapi.json</a>.</p>
<h2 id="errors">Errors</h2>
<p>The <code>code</code> of an error and its meaning.</p>
<table>${errorRows().join('\n')}</table>
</div>
<span slot="overview-api-description"></span>
</openapi-explorer>
<noscript><p>The operations are described in <a href="/openapi.json">openapi.json</a>.</p></noscript>
<script type="module" src="/page/docs.js"></script>
</body>
</html>`;

const errorRows = (): string[] =>
  Object.entries(REFUSALS).map(
    ([code, { meaning }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${withCode(meaning)}</td></tr>`,
  );

const withCode = (text: string): string => escaped(text).replace(/`([^`]*)`/g, '<code>$1</code>');
