// The code samples of the API reference, run as they are written.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { OpenApi, Operation } from '../../workers/service/http/openapi.ts';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../support/database.ts';
import { hasPythonClients, PYTHON } from '../support/python-client.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const run = promisify(execFile);
const folder = scratchFolder();

/**
 * By the language of a sample: a program that runs the samples of a list, one after the other, because the
 * start of a process takes longer than most requests. It prints a line with the id and the outcome of each
 * sample. The outcome is empty without an error.
 */
const PROGRAMS: Readonly<
  Record<string, { readonly command: string; readonly program: (samples: Samples) => string }>
> = {
  bash: {
    command: 'bash',
    program: (samples) =>
      samples
        .map(([id, source]) => {
          const status = `$(${source} -s -o /dev/null -w '%{http_code}'\n)`;
          return `status=${status}; [[ $status == 20? ]] && status=; echo "${id} $status"`;
        })
        .join('\n'),
  },
  js: {
    command: 'node',
    program: (samples) =>
      `const samples = ${JSON.stringify(samples)};
       for (const [id, source] of samples) {
         const module = 'data:text/javascript,' + encodeURIComponent(source);
         const error = await import(module).then(() => '', String);
         process.stdout.write(\`\${id} \${error.replaceAll('\\n', ' ')}\\n\`);
       }`,
  },
  python: {
    command: PYTHON,
    program: (samples) =>
      `import contextlib, io, json
for name, source in json.loads(${JSON.stringify(JSON.stringify(samples))}):
    error = ''
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(source, {'__name__': '__main__'})
    except Exception as raised:
        error = str(raised)
    print(name, error.replace('\\n', ' '))`,
  },
};
type Samples = readonly (readonly [id: string, source: string])[];

let service: ServiceWithDatabase;
let token: string;
let operations: readonly Operation[];
beforeAll(async () => {
  service = await startServiceWithDatabase({ assetsDir: inject('assets') });
  token = await service.token();
  const document = (await (await service.get('/openapi.json')).json()) as OpenApi;
  operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
});
afterAll(() => service?.stop());

describe('the code samples', () => {
  it('exist for every operation in three languages, with the address of the service', () => {
    for (const { operationId, 'x-code-samples': samples = [] } of operations) {
      expect([operationId, samples.map(({ lang }) => lang)]).toEqual([
        operationId,
        ['bash', 'js', 'python'],
      ]);
      for (const { source } of samples) expect(source).toContain(service.address);
    }
  });

  it('of uploads send the file as a form and nothing else', () => {
    const uploads = operations.filter(({ operationId }) => /uploadCharts$/i.test(operationId));
    expect(uploads).toHaveLength(2);
    for (const { 'x-code-samples': samples = [] } of uploads) {
      const { source } = samples.find(({ lang }) => lang === 'bash')!;
      expect(source).toContain("--form 'file=@harbour.zip'");
      expect(source).not.toMatch(/ --(data|request GET) /);
    }
  });

  const languages = Object.keys(PROGRAMS).filter((one) => one !== 'python' || hasPythonClients);
  it.each(languages)('in %s are answered as documented', async (language) => {
    const { command, program } = PROGRAMS[language]!;
    const sent = operations.filter(({ tags }) => !tags.includes('Portal'));
    const samples: Samples = sent.map((operation) => {
      const { source } = operation['x-code-samples']!.find(({ lang }) => lang === language)!;
      return [operation.operationId, source.replace('YOUR_TOKEN', token)];
    });
    const file = join(folder, `samples.${language === 'js' ? 'mjs' : language}`);
    writeFileSync(file, program(samples));
    const { stdout } = await run(command, [file], { maxBuffer: 2 ** 26 });
    const outcomes = new Map(
      [...stdout.matchAll(/^(\w+) ([^\n]*)$/gm)].map(([, id, outcome]) => [id, outcome!]),
    );
    const wrong = sent.flatMap(({ operationId, responses }) => {
      const outcome = outcomes.get(operationId) ?? 'It did not run.';
      // Samples name a track that does not exist, and a style that the sample before has created.
      const isExpected = ['404', '409'].some((code) => outcome.includes(code) && code in responses);
      return outcome === '' || isExpected ? [] : [`${operationId}: ${outcome}`];
    });
    expect(wrong).toEqual([]);
  });
});
