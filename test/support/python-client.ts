// A Python client generated from the OpenAPI document by OpenAPI Generator. Version 4.3.1 is the last whose package
// contains the program itself. It reads OpenAPI 3.0 only.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExampleRequest } from './example-requests.ts';
import { PYTHON } from './machine.ts';
import { inOpenApi30 } from './openapi-30.ts';
import { ROOT } from './source-files.ts';

export { hasPythonClients, PYTHON } from './machine.ts';

const run = promisify(execFile);
const GENERATOR = 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar';
/** Least work for the virtual machine, which runs for a few seconds only. */
const JAVA_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];
const PACKAGE = 'leadline_api';

/** Generates the client in a folder and compiles it. @param document OpenAPI 3.1 as JSON */
export async function generatePythonClient(document: string, folder: string): Promise<void> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, inOpenApi30(document));
  const options = ['-g', 'python', '-i', file, '-o', folder, '--package-name', PACKAGE];
  const only = ['-DapiTests=false', '-DmodelTests=false', '-DapiDocs=false', '-DmodelDocs=false'];
  await run('java', [
    ...JAVA_OPTIONS,
    ...only,
    '-jar',
    join(ROOT, GENERATOR),
    'generate',
    ...options,
  ]);
  await run(PYTHON, ['-m', 'compileall', '-q', join(folder, PACKAGE)]);
}

/** The result of a call. */
export interface PythonResult {
  readonly operationId: string;
  readonly status?: number;
  /** Type of the value in Python. */
  readonly type?: string;
  readonly error?: string;
}

const PROGRAM = `
import inspect, json, re, sys
import ${PACKAGE} as package
from ${PACKAGE}.api_client import ApiClient

def snake(name):
    return re.sub('(?<=[a-z])(?=[A-Z])|-', '_', name).lower()

address, token, temporary, requests = json.load(sys.stdin)
configuration = package.Configuration(host=address, api_key={'token': token})
configuration.access_token = token
configuration.temp_folder_path = temporary
client = ApiClient(configuration)
apis = [made(client) for name, made in inspect.getmembers(package, inspect.isclass) if name.endswith('Api')]

def call(operationId, values, body, model):
    method = next(getattr(api, snake(operationId) + '_with_http_info') for api in apis if hasattr(api, snake(operationId)))
    arguments = {snake(name): value for name, value in values.items()}
    if body is not None:
        names = inspect.signature(method).parameters
        target = next(name for name in names if name not in arguments and name != 'kwargs')
        arguments[target] = client._ApiClient__deserialize(body, model)
    data, status, headers = method(**arguments)
    return {'status': status, 'type': type(data).__name__}

for request in requests:
    try:
        outcome = call(**request)
    except Exception as error:
        outcome = {'error': repr(error)[:2000]}
    print(json.dumps({'operationId': request['operationId'], **outcome}))
`;

/** Sends the examples with the client, one after the other. */
export async function callWithPython(
  folder: string,
  requests: readonly ExampleRequest[],
  address: string,
  token: string,
): Promise<PythonResult[]> {
  const program = join(folder, 'examples.py');
  writeFileSync(program, PROGRAM);
  const calls = requests.map(({ operationId, path, query, body, operation }) => {
    const { $ref = '' } = (operation.requestBody?.content['application/json']?.schema ?? {}) as {
      readonly $ref?: string;
    };
    return { operationId, values: { ...path, ...query }, body, model: $ref.split('/').at(-1) };
  });
  const running = run(PYTHON, [program], { maxBuffer: 2 ** 24 });
  const given = calls.map((one) => ({ ...one, body: one.body ?? null }));
  running.child.stdin!.end(JSON.stringify([address, token, folder, given]));
  const { stdout } = await running;
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PythonResult);
}
