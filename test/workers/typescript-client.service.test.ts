// A TypeScript client that a generator makes from the OpenAPI document, with the command of the guide: it compiles,
// the examples of the document have its types, and it gets the documented response for each example.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../support/database.ts';
import { type ExampleRequest, exampleRequests, isAnswered } from '../support/example-requests.ts';
import { filledIn } from '../support/examples.ts';
import { guideText, snippetsOf } from '../support/guides.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { ROOT } from '../support/source-files.ts';

const run = promisify(execFile);
const folder = scratchFolder();
const GENERATOR = join(ROOT, 'node_modules/@hey-api/openapi-ts/bin/run.js');
const COMPILER = join(ROOT, 'node_modules/typescript-7/bin/tsc');
const OPTIONS = '--strict --noEmit --target es2022 --module esnext --moduleResolution bundler';

/** The result of a generated function. */
interface Result {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

let service: ServiceWithDatabase;
let requests: readonly ExampleRequest[];
beforeAll(async () => {
  service = await startServiceWithDatabase({ assetsDir: inject('assets') });
  const token = await service.token();
  requests = (await exampleRequests(service, token)).filter(isAnswered);
  const guide = filledIn(guideText('generated-clients.md'), { address: service.address, token });
  const snippet = (wanted: string) =>
    snippetsOf(guide).find(({ language }) => language === wanted)!.text;
  const [npx, name, ...options] = snippet('bash').trim().split(' ');
  expect([npx, name]).toEqual(['npx', '@hey-api/openapi-ts']);
  await run('node', [GENERATOR, ...options], { cwd: folder });
  writeFileSync(join(folder, 'guide.ts'), snippet('typescript'));
  writeFileSync(join(folder, 'examples.ts'), programOf(requests, service.address, token));
});
afterAll(() => service?.stop());

const hasKeys = (value: object) => Object.keys(value).length > 0;

/** A program with a call of each operation, and with the documented responses as values of the client's types. */
function programOf(all: readonly ExampleRequest[], address: string, token: string): string {
  const calls = all.map(({ operationId, ...values }) => {
    const { path, query, body } = values;
    const given = { ...(hasKeys(path) && { path }), ...(hasKeys(query) && { query }), body };
    return `${operationId}: () => sdk.${operationId}(${JSON.stringify(given)}),`;
  });
  const values = all.flatMap(({ operationId, operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.values(content)
        .filter(({ example }) => example !== undefined)
        .map(({ example }) => {
          const group = Number(status) < 400 ? 'Responses' : 'Errors';
          const type = operationId[0]!.toUpperCase() + operationId.slice(1) + group;
          return `${JSON.stringify(example)} satisfies sdk.${type}[${status}],`;
        }),
    ),
  );
  return `import * as sdk from './client';
import { client } from './client/client.gen';
client.setConfig({ baseUrl: '${address}', auth: '${token}' });
export const calls = {\n${calls.join('\n')}\n};
export const values = [\n${values.join('\n')}\n];\n`;
}

/** Constructors of values that the client returns for a response. */
function kindsOf(content: object | undefined): readonly string[] {
  if (content === undefined) return ['nothing', 'Object'];
  const type = Object.keys(content)[0]!;
  if (type.endsWith('json')) return ['Object', 'Array'];
  return [type.startsWith('text/') ? 'String' : 'Blob'];
}

async function load(
  name: string,
): Promise<{ readonly calls: Record<string, () => Promise<Result>> }> {
  const outfile = join(folder, `${name}.mjs`);
  await build({ entryPoints: [join(folder, `${name}.ts`)], outfile, bundle: true, format: 'esm' });
  return import(pathToFileURL(outfile).href);
}

it('a TypeScript client is generated that compiles and has the types of all examples', async () => {
  const files = ['guide.ts', 'examples.ts'];
  const found = await run('node', [COMPILER, ...OPTIONS.split(' '), ...files], {
    cwd: folder,
  }).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
  expect(found).toBe('');
});

it('the generated TypeScript client gets the documented response for each example', async () => {
  const { calls } = await load('examples');
  const faults: unknown[] = [];
  for (const { operationId, operation } of requests) {
    const { data, error, response } = await calls[operationId]!();
    const { content } = operation.responses[response.status] ?? {};
    const actual = data?.constructor.name ?? 'nothing';
    if (error !== undefined || !kindsOf(content).includes(actual)) {
      faults.push([operationId, response.status, actual, error]);
    }
  }
  expect(faults).toEqual([]);
});

it('the program of the guide prints what is near the position', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
  await load('guide');
  expect(log).toHaveBeenCalled();
});
