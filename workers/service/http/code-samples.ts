// Code samples of an operation in several languages, made by a library from the examples of the endpoint.

import { nodeFetch } from '@scalar/snippetz/plugins/node/fetch';
import { pythonRequests } from '@scalar/snippetz/plugins/python/requests';
import { shellCurl } from '@scalar/snippetz/plugins/shell/curl';
import { type Endpoint, FORM } from './endpoint.ts';

/** Stands for the token of the reader. */
const TOKEN = 'YOUR_TOKEN';

/** Names of the languages for highlighting. */
const LANGUAGES: Readonly<Record<string, string>> = {
  curl: 'bash',
  JavaScript: 'js',
  Python: 'python',
};

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
  const javaScript = nodeFetch.generate(request).replace(/^fetch/m, 'const response = await fetch');
  const sources = {
    curl: shellCurl.generate(request),
    JavaScript: `${javaScript};
if (!response.ok) throw new Error(await response.text());
console.log(${isJson ? 'await response.json()' : '(await response.arrayBuffer()).byteLength'});`,
    Python: `import requests\n\nresponse = ${pythonRequests.generate(request)}
response.raise_for_status()
print(${isJson ? 'response.json()' : 'response.status_code'})`,
  };
  return Object.entries(sources).map(([label, source]) => ({
    lang: LANGUAGES[label]!,
    label,
    source,
  }));
}

/** The request with examples of the required parameters, in the form of a HAR request. */
function requestOf({ method, path, access, parameters = [], body }: Endpoint, server: string) {
  const values = parameters
    .filter(({ required }) => required)
    .map(({ name, example = 'ID', ...one }) => {
      return { name, value: name === 'token' ? TOKEN : `${example}`, isQuery: one.in === 'query' };
    });
  const queryString = values.filter(({ isQuery }) => isQuery);
  const needsHeader = access.kind !== 'public' && !queryString.some(({ name }) => name === 'token');
  // The library writes a text into Python correctly only if it is declared as one.
  const isText = typeof body?.example === 'string';
  const mimeType = isText ? 'text/plain' : (body?.contentType ?? 'application/json');
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

function postDataOf(mimeType: string, example: unknown) {
  if (mimeType === FORM) return { mimeType, params: [{ name: 'file', fileName: 'harbour.zip' }] };
  return { mimeType, text: typeof example === 'string' ? example : JSON.stringify(example) };
}
