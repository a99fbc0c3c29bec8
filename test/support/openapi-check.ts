// Holds an answer against the service's own OpenAPI document: the status must be documented for the
// path and method, the content type too, and JSON must fit its schema.

import * as z from 'zod';
import type { Answer } from './http-client.ts';

interface Content {
  readonly schema?: Record<string, unknown>;
}
interface Documented {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, Documented>>;
}
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

/** @returns what is wrong with the answer, in words; nothing where it keeps the document */
export type ContractCheck = (method: string, path: string, answer: Answer) => string[];

export function contractCheck(document: OpenApiDocument): ContractCheck {
  const routes = Object.entries(document.paths).map(([template, operations]) => ({
    matches: templatePattern(template),
    operations,
  }));
  const schemas = new Map<object, z.ZodType>();
  const schemaOf = (schema: Record<string, unknown>): z.ZodType => {
    let made = schemas.get(schema);
    if (made === undefined) {
      made = z.fromJSONSchema(resolved(schema, document) as never);
      schemas.set(schema, made);
    }
    return made;
  };
  const problem = schemaOf(document.components.schemas['Problem'] as Record<string, unknown>);

  return (method, path, answer) => {
    const [pathname = ''] = path.split('?');
    const operations = routes.find((route) => route.matches.test(pathname))?.operations;
    const operation = operations?.[(method === 'HEAD' ? 'GET' : method).toLowerCase()];
    const body = answer.body.length === 0 ? undefined : answer.body;
    if (operation === undefined) {
      if (method === 'OPTIONS' && answer.status === 204) return [];
      const expected = operations === undefined ? 404 : 405;
      if (answer.status !== expected) return [`status ${answer.status}, not ${expected}`];
      return body === undefined ? [] : faults(problem, body);
    }
    const documented = operation.responses[answer.status];
    if (documented === undefined) {
      return [`status ${answer.status} is not documented for ${operation.operationId}`];
    }
    if (body === undefined || method === 'HEAD') return [];
    const type = (answer.headers['content-type'] ?? '').split(';')[0]!;
    const content = documented.content?.[type];
    if (content === undefined) return [`content type ${type || 'none'} is not documented`];
    if (!type.endsWith('json') || content.schema === undefined) return [];
    if (answer.headers['content-encoding'] !== undefined) return [];
    return faults(schemaOf(content.schema), body);
  };
}

/** `{y}.mvt` as the router reads it. Path parameters never hold a slash. */
function templatePattern(template: string): RegExp {
  const pattern = template
    .split(/\{\w+\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]*');
  return new RegExp(`^${pattern}$`);
}

function faults(schema: z.ZodType, body: Uint8Array): string[] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return ['the body is not JSON'];
  }
  const checked = schema.safeParse(value);
  return checked.success
    ? []
    : checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/** A schema with the document's `$ref`s put in place; ours never refer in circles. */
export function resolved(schema: unknown, document: OpenApiDocument): unknown {
  if (Array.isArray(schema)) return schema.map((one) => resolved(one, document));
  if (typeof schema !== 'object' || schema === null) return schema;
  const ref = (schema as { $ref?: unknown }).$ref;
  if (typeof ref === 'string') {
    const target = document.components.schemas[ref.replace('#/components/schemas/', '')];
    if (target === undefined) throw new Error(`The document lacks ${ref}.`);
    return resolved(target, document);
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, resolved(value, document)]),
  );
}
