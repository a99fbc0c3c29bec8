// The examples of the OpenAPI document as requests with ids of existing objects.

import type { OpenApi, Operation } from '../../workers/service/http/openapi.ts';
import type { ServiceWithDatabase } from './database.ts';

type Values = Readonly<Record<string, string | number>>;

export interface ExampleRequest {
  readonly operation: Operation;
  readonly operationId: string;
  readonly method: string;
  /** With placeholders. */
  readonly template: string;
  readonly path: Values;
  /** Required parameters only. */
  readonly query: Values;
  readonly body: unknown;
}

interface Made {
  readonly id?: string;
  readonly tracks?: readonly { readonly id: string }[];
}

/** Paths with an id, the path that creates an object, and changes to its example. */
const MAKERS = [
  ['/api/v1/user-reports/bathymetry/{id}', '/api/v1/user-reports/bathymetry', {}],
  ['/api/v1/user-reports/{id}', '/api/v1/user-reports', {}],
  ['/api/portal/v1/styles/{id}', '/api/portal/v1/styles', { name: 'Another style' }],
] as const;

/** Operations of users, whose sessions are no tokens: `test/workers/portal` sends these. */
const ofUsers = ({ tags }: Operation): boolean => tags.includes('Portal');

/** Creates a report, a track and a style. @returns all examples in a possible order */
export async function exampleRequests(
  service: ServiceWithDatabase,
  token: string,
): Promise<ExampleRequest[]> {
  const { paths } = (await (await service.get('/openapi.json')).json()) as OpenApi;
  const ids = new Map<string, string>();
  for (const [start, path, changes] of MAKERS) {
    const body = JSON.stringify({ ...(exampleBody(paths[path]!['post']!) as object), ...changes });
    const answer = await service.get(path, { method: 'POST', body });
    const made = (await answer.json()) as Made;
    ids.set(start, (made.id ?? made.tracks?.[0]?.id)!);
  }
  const requests = Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      if (ofUsers(operation)) return [];
      const [, id] = [...ids].find(([start]) => template.startsWith(start)) ?? [];
      return exampleOf(operation, method, template, { token, ...(id && { id }) });
    }),
  );
  return requests.sort((a, b) => turnOf(a) - turnOf(b));
}

/** A style with the name of the example can be created only after the other style with this name is deleted. */
function turnOf({ method, operationId }: ExampleRequest): number {
  if (operationId === 'createSavedStyle') return 2;
  return method === 'delete' ? 1 : 0;
}

/** @param known values that replace the examples of parameters */
function exampleOf(
  operation: Operation,
  method: string,
  template: string,
  known: Readonly<Record<string, string>>,
): ExampleRequest {
  const valuesIn = (place: string): Values =>
    Object.fromEntries(
      (operation.parameters ?? [])
        .filter((one) => one.in === place && one.required)
        .map(({ name, example }) => [name, known[name] ?? example!]),
    );
  const { operationId } = operation;
  const [path, query] = [valuesIn('path'), valuesIn('query')];
  return { operation, operationId, method, template, path, query, body: exampleBody(operation) };
}

const exampleBody = ({ requestBody }: Operation): unknown =>
  Object.values(requestBody?.content ?? {})[0]?.example;

/** Path and query of a request. */
export function addressOf({ template, path, query }: ExampleRequest): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => String(path[name]));
  const search = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `${filled}?${new URLSearchParams(search)}`;
}

/** Whether the demo charts have an answer. They have no crowdsourced depths. */
export const isAnswered = ({ operationId }: ExampleRequest): boolean =>
  !/^(getCrowdTile|queryCrowdDepths|exportCrowdDepths)/.test(operationId);
