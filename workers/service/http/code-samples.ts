// Code samples of an operation in several languages, made from its examples. In curl and Python the token
// is read from the environment; in JavaScript it is a constant.

import { FORM } from './endpoint.ts';
import type { CodeSample, Operation } from './operation.ts';

/** The file in samples of forms. */
const FORM_FILE = 'harbour.zip';

interface Call {
  readonly method: string;
  readonly url: string;
  readonly needsHeader: boolean;
  /** Of a JSON body or a text. */
  readonly body: unknown;
  readonly isForm: boolean;
  readonly answer: 'json' | 'bytes' | 'nothing';
}

/**
 * @param server origin of the service
 * @returns samples for curl, JavaScript (`fetch`, in Node or a browser) and Python (standard library)
 */
export function codeSamples(
  operation: Operation,
  method: string,
  path: string,
  server: string,
): CodeSample[] {
  const call = callOf(operation, method, path, server);
  return [
    { lang: 'bash', label: 'curl', source: curl(call) },
    { lang: 'js', label: 'JavaScript', source: javaScript(call) },
    { lang: 'python', label: 'Python', source: call.isForm ? pythonForm(call) : python(call) },
  ];
}

/** The address with examples of the required parameters; `TOKEN` stands for the token. */
function callOf(operation: Operation, method: string, path: string, server: string): Call {
  const { parameters = [], requestBody, security, responses } = operation;
  const { content } = responses['200'] ?? responses['201'] ?? {};
  const isForm = FORM in (requestBody?.content ?? {});
  const needed = parameters.filter(({ required }) => required);
  const filled = needed
    .filter((parameter) => parameter.in === 'path')
    .reduce((at, { name, example }) => at.replace(`{${name}}`, `${example ?? 'ID'}`), path);
  const query = needed
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }) => `${name}=${name === 'token' ? 'TOKEN' : (example ?? 'VALUE')}`);
  return {
    method: method.toUpperCase(),
    url: `${server}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    needsHeader: security.some((way) => 'bearer' in way),
    body: isForm ? undefined : Object.values(requestBody?.content ?? {})[0]?.example,
    isForm,
    answer:
      content === undefined ? 'nothing' : /json/.test(Object.keys(content)[0]!) ? 'json' : 'bytes',
  };
}

function curl({ method, url, needsHeader, body, isForm }: Call): string {
  const isDefault = method === 'GET' || (method === 'POST' && (body !== undefined || isForm));
  const lines = [
    `curl${isDefault ? '' : ` -X ${method}`} "${url.replace('TOKEN', '$TOKEN')}"`,
    ...(needsHeader ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : [`-d '${textOf(body).replaceAll("'", "'\\''")}'`]),
    ...(isForm ? [`-F "file=@${FORM_FILE}"`] : []),
  ];
  return lines.join(' \\\n  ');
}

/** Whether a body is not JSON. */
const isText = (body: unknown): body is string => typeof body === 'string';
const textOf = (body: unknown): string => (isText(body) ? body : JSON.stringify(body));

/** The token in a template string of JavaScript. */
const VARIABLE = '$' + '{TOKEN}';

const READ_IN_JAVASCRIPT = {
  json: 'console.log(await response.json());',
  bytes: 'console.log((await response.arrayBuffer()).byteLength);',
  nothing: 'console.log(response.status);',
};

function javaScript({ method, url, needsHeader, body, isForm, answer }: Call): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(needsHeader ? [`  headers: { authorization: \`Bearer ${VARIABLE}\` },`] : []),
    ...(body === undefined
      ? []
      : [
          `  body: ${isText(body) ? JSON.stringify(body) : `JSON.stringify(${JSON.stringify(body)})`},`,
        ]),
    ...(isForm ? ['  body,'] : []),
  ];
  const address = url.includes('TOKEN') ? `\`${url.replace('TOKEN', VARIABLE)}\`` : `'${url}'`;
  const call = options.length === 0 ? address : `${address}, {\n${options.join('\n')}\n}`;
  const file = isForm ? FILE_IN_JAVASCRIPT : { imports: '', body: '' };
  return `${file.imports}const TOKEN = 'YOUR TOKEN';
${file.body}const response = await fetch(${call});
if (!response.ok) throw new Error(await response.text());
${READ_IN_JAVASCRIPT[answer]}`;
}

/** In Node: a file of the disk. */
const FILE_IN_JAVASCRIPT = {
  imports: "import { openAsBlob } from 'node:fs';\n\n",
  body: `const body = new FormData();
body.append('file', await openAsBlob('${FORM_FILE}'), '${FORM_FILE}');
`,
};

/** The standard library has no forms, so the body is written out. */
function pythonForm({ url }: Call): string {
  return `import json
import os
from pathlib import Path
from urllib.request import Request, urlopen

TOKEN = os.environ["TOKEN"]
part = 'Content-Disposition: form-data; name="file"; filename="${FORM_FILE}"'
start = f"--the-boundary\\r\\n{part}\\r\\n\\r\\n".encode()
body = start + Path("${FORM_FILE}").read_bytes() + b"\\r\\n--the-boundary--\\r\\n"
headers = {
    "Authorization": f"Bearer {TOKEN}",
    "Content-Type": "multipart/form-data; boundary=the-boundary",
}
request = Request("${url}", method="POST", headers=headers, data=body)
with urlopen(request) as response:
    print(json.load(response))`;
}

const READ_IN_PYTHON = {
  json: 'print(json.load(response))',
  bytes: 'print(len(response.read()))',
  nothing: 'print(response.status)',
};

function python({ method, url, needsHeader, body, answer }: Call): string {
  const address = url.includes('TOKEN') ? `f"${url.replace('TOKEN', '{TOKEN}')}"` : `"${url}"`;
  const options = [
    address,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(needsHeader ? ['headers={"Authorization": f"Bearer {TOKEN}"}'] : []),
    ...(body === undefined
      ? []
      : [isText(body) ? 'data=body.encode()' : 'data=json.dumps(body).encode()']),
  ];
  const lines = [
    ...(body !== undefined || answer === 'json' ? ['import json'] : []),
    'import os',
    'from urllib.request import Request, urlopen',
    '',
    'TOKEN = os.environ["TOKEN"]',
    ...(body === undefined
      ? []
      : [
          isText(body)
            ? `body = r'''${body}'''`
            : `body = json.loads(r'''${JSON.stringify(body)}''')`,
        ]),
    `request = Request(\n    ${options.join(',\n    ')},\n)`,
    'with urlopen(request) as response:',
    `    ${READ_IN_PYTHON[answer]}`,
  ];
  return lines.join('\n');
}
