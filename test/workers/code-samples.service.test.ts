// The code samples of the API reference, run as they are written.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { OpenApi } from '../../workers/service/http/openapi.ts';
import type { Operation } from '../../workers/service/http/operation.ts';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../support/database.ts';

const run = promisify(execFile);
/** The commands by the language of a sample; JavaScript is passed as text. */
const COMMANDS = {
  bash: (source: string) => ({
    command: 'bash',
    words: ['-c', `${source} -s -o /dev/null -w '%{http_code}'`],
  }),
  js: (source: string) => ({ command: 'node', words: ['--input-type=module', '-e', source] }),
  python: (source: string) => ({ command: 'python3', words: ['-c', source] }),
};
const isInstalled = async (command: string) =>
  run(command, ['--version']).then(
    () => true,
    () => false,
  );

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

  it.each(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])(
    'in %s are answered as documented',
    async (language) => {
      if (!(await isInstalled(COMMANDS[language]('').command))) return;
      const wrong: string[] = [];
      for (const { operationId, responses, 'x-code-samples': samples = [] } of operations) {
        const { source } = samples.find(({ lang }) => lang === language)!;
        const { command, words } = COMMANDS[language](source.replace("'YOUR TOKEN'", `'${token}'`));
        const env = { ...process.env, TOKEN: token };
        const { out, hasFailed } = await run(command, words, { env, timeout: 60_000 }).then(
          ({ stdout }) => ({
            out: stdout,
            hasFailed: language === 'bash' && !/^20\d$/.test(stdout),
          }),
          (error: { stderr: string }) => ({ out: error.stderr, hasFailed: true }),
        );
        // Samples name a track that does not exist, and a style that the sample before has created.
        if (hasFailed && !['404', '409'].some((code) => out.includes(code) && code in responses))
          wrong.push(`${operationId}: ${out}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});
