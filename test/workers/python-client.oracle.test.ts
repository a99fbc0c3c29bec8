// A Python client that a generator makes from the OpenAPI document: it compiles, and it gets the documented response
// for each example.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { OpenApi } from '../../workers/service/http/openapi.ts';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../support/database.ts';
import { type ExampleRequest, exampleRequests, isAnswered } from '../support/example-requests.ts';
import {
  callWithPython,
  generatePythonClient,
  hasPythonClients,
  type PythonResult,
} from '../support/python-client.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

describe.runIf(hasPythonClients)('a generated Python client', () => {
  const folder = scratchFolder();
  let service: ServiceWithDatabase;
  let schemas: OpenApi['components']['schemas'];
  let requests: readonly ExampleRequest[];
  let results: readonly PythonResult[];
  beforeAll(async () => {
    service = await startServiceWithDatabase({ assetsDir: inject('assets') });
    const token = await service.token();
    requests = (await exampleRequests(service, token)).filter(
      // The generator has no type for a body of text.
      (one) => isAnswered(one) && one.operationId !== 'importSoundings',
    );
    const document = await (await service.get('/openapi.json')).text();
    ({ schemas } = (JSON.parse(document) as OpenApi).components);
    await generatePythonClient(document, folder);
    results = await callWithPython(folder, requests, service.address, token);
  });
  afterAll(() => service?.stop());

  it('returns the documented type for each example', () => {
    const expected = requests.map(({ operationId, operation }) => {
      const answer = Object.entries(operation.responses).find(([code]) => Number(code) < 300)!;
      return { operationId, status: Number(answer[0]), type: pythonType(answer[1], schemas) };
    });
    expect(results).toEqual(expected);
  });
});

/** The Python type of a response. */
function pythonType(
  { content }: ExampleRequest['operation']['responses'][string],
  schemas: OpenApi['components']['schemas'],
): string {
  const [first] = Object.values(content ?? {});
  const { $ref, type } = first?.schema ?? {};
  const name = typeof $ref === 'string' ? $ref.split('/').at(-1)! : undefined;
  if (name !== undefined) return 'properties' in schemas[name]! ? name : 'dict';
  if (type === 'array') return 'list';
  // A file is the path of the downloaded file.
  return type === undefined ? 'NoneType' : 'str';
}
