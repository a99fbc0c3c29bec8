// Compares responses with the service's own OpenAPI document.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer } from './http-client.ts';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

/** A value with every reference replaced by the schema that it refers to. */
export function withInlineSchemas<T>(
  value: T,
  schemas: OpenApiDocument['components']['schemas'],
): T {
  const inlined = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    if (Array.isArray(inner)) return inner.map(inlined);
    const { $ref, ...others } = inner as { readonly $ref?: string };
    const name = $ref?.slice('#/components/schemas/'.length);
    if (name !== undefined) return inlined({ ...schemas[name], ...others });
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, inlined(one)]));
  };
  return inlined(value) as T;
}

/** An operation with a request body that needs no session of the portal. */
export type BodyTaker = readonly [method: string, path: string, needsToken: boolean];

/**
 * Every operation with a request body, but those that need a session: they refuse a request without one
 * before they read its body.
 * @param id replaces `{id}`
 */
export function bodyTakers({ paths }: OpenApiDocument, id: string): BodyTaker[] {
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody, security = [] }]) => {
      const needsToken = security.length > 0;
      const isForSession = needsToken && security.every((scheme) => 'session' in scheme);
      if (requestBody?.content['application/json'] === undefined || isForSession) return [];
      return [[method.toUpperCase(), template.replace('{id}', id), needsToken] as const];
    }),
  );
}

/** Differences between a response and the document; empty if they agree. */
export type AnswerCheck = (method: string, path: string, answer: Answer) => string[];

/** The differences for a response of `fetch`. Its body can still be read afterwards. */
export type ResponseCheck = (method: string, path: string, response: Response) => Promise<string[]>;

/**
 * The status must be documented for the path and method, the content type for the status, and JSON
 * must fit its schema. An undocumented path must return 404, and another method 405, as problems.
 */
export function answerCheck(document: OpenApiDocument): AnswerCheck {
  const validatorOf = validatorsOf(document);
  const routes = Object.entries(document.paths).map(([template, operations]) => ({
    pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]*')}$`),
    operations,
  }));
  const problem = { $ref: '#/components/schemas/Problem' };

  return (method, path, answer) => {
    const [pathname = ''] = path.split('?');
    const operations = routes.find(({ pattern }) => pattern.test(pathname))?.operations;
    const operation =
      operations?.[method.toLowerCase()] ?? (method === 'HEAD' ? operations?.['get'] : undefined);
    const hasBody = answer.body.length > 0;
    if (operation === undefined) {
      if (operations !== undefined && method === 'OPTIONS' && answer.status === 204) return [];
      const expected = operations === undefined ? 404 : 405;
      if (answer.status !== expected) {
        return [`${method} ${path} is not documented, and ${answer.status} is not ${expected}`];
      }
      return hasBody ? faultsOf(validatorOf(problem), answer.body) : [];
    }
    const documented = operation.responses[String(answer.status)];
    if (documented === undefined) return [`${answer.status} is not documented for ${path}`];
    const type = answer.headers['content-type']?.split(';')[0] ?? '';
    const content = documented.content?.[type];
    if (content === undefined) {
      return hasBody ? [`${type} is not documented for ${answer.status} of ${path}`] : [];
    }
    const isPlain = answer.headers['content-encoding'] === undefined;
    return hasBody && isPlain && type.endsWith('json')
      ? faultsOf(validatorOf(content.schema), answer.body)
      : [];
  };
}

/** Validators by document, for all files in this process, because compiling them takes long. */
const validatorsOf = keptByText((document: OpenApiDocument) => {
  const formats = { uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i };
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
  const known = new Map<string, ValidateFunction>();
  return (schema: object): ValidateFunction => {
    const text = JSON.stringify(schema);
    const validate = known.get(text) ?? ajv.compile({ ...schema, components: document.components });
    known.set(text, validate);
    return validate;
  };
});

/** Returns the result of `make` for a document. Equal documents share one result. */
function keptByText<T>(make: (document: OpenApiDocument) => T): (document: OpenApiDocument) => T {
  const made = new Map<string, T>();
  return (document) => {
    const text = JSON.stringify(document.components);
    const one = made.get(text) ?? make(document);
    made.set(text, one);
    return one;
  };
}

export function responseCheck(document: OpenApiDocument): ResponseCheck {
  const check = answerCheck(document);
  return async (method, path, response) => {
    const { pathname } = new URL(path, 'http://x');
    const headers: Record<string, string> = {};
    response.headers.forEach((value, name) => {
      headers[name] = value;
    });
    // fetch has already decompressed the body.
    delete headers['content-encoding'];
    const body = new Uint8Array(await response.clone().arrayBuffer());
    return check(method, pathname, { status: response.status, headers, body });
  };
}

function faultsOf(validate: ValidateFunction, body: Uint8Array): string[] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return ['the body is not JSON'];
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
