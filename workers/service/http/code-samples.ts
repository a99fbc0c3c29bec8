// Code samples of an operation in several languages, made from the examples of the endpoint. A library makes
// those in curl and Python. Its samples of JavaScript do not escape quotation marks and nested lists.

import { pythonRequests } from '@scalar/snippetz/plugins/python/requests';
import { shellCurl } from '@scalar/snippetz/plugins/shell/curl';
import { type Endpoint, FORM } from './endpoint.ts';

const JSON_TYPE = 'application/json';

/** Stands for the token of the reader. */
const TOKEN = 'YOUR_TOKEN';

/** The file in samples of forms. */
const FORM_FILE = 'harbour.zip';

/** The extension `x-code-samples`, which reference pages read. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/**
 * @param server origin of the service
 * @returns samples for curl, JavaScript (`fetch` in Node) and Python (`requests`)
 */
export function codeSamples(endpoint: Endpoint, server: string): CodeSample[] {
  const request = requestOf(endpoint, server);
  const { contentType = '' } = endpoint.answers[200] ?? endpoint.answers[201] ?? {};
  const isJson = contentType.includes('json');
  return [
    { lang: 'bash', label: 'curl', source: shellCurl.generate(request) },
    {
      lang: 'js',
      label: 'JavaScript',
      source: `${javaScript(request)}
if (!response.ok) throw new Error(await response.text());
console.log(${isJson ? 'await response.json()' : '(await response.arrayBuffer()).byteLength'});`,
    },
    {
      lang: 'python',
      label: 'Python',
      source: `import requests\n\nresponse = ${pythonRequests.generate(request)}
response.raise_for_status()
print(${isJson ? 'response.json()' : 'response.status_code'})`,
    },
  ];
}

function javaScript({ method, url, queryString, headers, postData }: Request): string {
  const query = queryString
    .map(({ name, value }, i) => `${i === 0 ? '?' : '&'}${name}=${value}`)
    .join('');
  const { mimeType, params, text }: Partial<PostData> = postData ?? {};
  const fields = [
    `method: '${method}',`,
    `headers: ${JSON.stringify(Object.fromEntries(headers.map(({ name, value }) => [name, value])))},`,
  ];
  if (params !== undefined) fields.push('body,');
  if (text !== undefined) {
    fields.push(
      `body: ${mimeType === JSON_TYPE ? `JSON.stringify(${text})` : JSON.stringify(text)},`,
    );
  }
  return `${params === undefined ? '' : FORM_IN_JAVASCRIPT}const response = await fetch('${url}${query}', {
  ${fields.join('\n  ')}
});`;
}

const FORM_IN_JAVASCRIPT = `import { openAsBlob } from 'node:fs';

const body = new FormData();
body.append('file', await openAsBlob('${FORM_FILE}'), '${FORM_FILE}');
`;

type Request = ReturnType<typeof requestOf>;

/** The request with examples of the required parameters, in the form of a HAR request. */
function requestOf({ method, path, access, parameters = [], body }: Endpoint, server: string) {
  const values = parameters
    .filter(({ required }) => required)
    .map(({ name, example = 'ID', ...one }) => {
      return { name, value: name === 'token' ? TOKEN : `${example}`, isQuery: one.in === 'query' };
    });
  const queryString = values.filter(({ isQuery }) => isQuery);
  const needsHeader = access.kind !== 'public' && !queryString.some(({ name }) => name === 'token');
  const mimeType = body?.contentType ?? JSON_TYPE;
  return {
    method: method.toUpperCase(),
    url: values.reduce((url, { name, value }) => url.replace(`{${name}}`, value), server + path),
    queryString,
    headers: [
      ...(needsHeader ? [{ name: 'Authorization', value: `Bearer ${TOKEN}` }] : []),
      ...(body && mimeType !== FORM ? [{ name: 'Content-Type', value: mimeType }] : []),
    ],
    ...(body && { postData: postDataOf(mimeType, body.example) }),
  };
}

interface PostData {
  readonly mimeType: string;
  readonly params?: { name: string; fileName: string }[];
  readonly text?: string;
}

function postDataOf(mimeType: string, example: unknown): PostData {
  if (mimeType === FORM) return { mimeType, params: [{ name: 'file', fileName: FORM_FILE }] };
  return { mimeType, text: typeof example === 'string' ? example : JSON.stringify(example) };
}
