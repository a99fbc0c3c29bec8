// Generates the OpenAPI 3.1 document from the endpoints and their schemas.

import * as z from 'zod';
import { problemSchema } from '../../../shared/contract/problem.ts';
import type { Schema } from './describe-schema.ts';
import type { Access, Answer, Endpoint } from './endpoint.ts';
import { TAGS } from './openapi-tags.ts';

type Json = Record<string, unknown>;

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

/** The fields of an operation that are used here (OpenAPI 3.1.0, section 4.8.10). */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description: string;
    readonly required: boolean;
    readonly schema: Schema;
    readonly example?: string | number | undefined;
  }[];
  readonly requestBody?: {
    readonly required: true;
    readonly description: string;
    readonly content: Content;
  };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content }>
  >;
}

export interface OpenApi extends Json {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const PROBLEM = '#/components/schemas/Problem';

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Zod describes a tuple with `prefixItems` and `items: false`, which tools for OpenAPI 3.0
      // cannot read. A fixed length is equivalent.
      const { prefixItems } = jsonSchema;
      if (prefixItems === undefined) return;
      jsonSchema.minItems = prefixItems.length;
      jsonSchema.maxItems = prefixItems.length;
      jsonSchema.items = prefixItems[0]!;
    },
  }) as Json;
  return made;
}

function answerOf(answer: Answer, status: number): Operation['responses'][string] {
  if (status >= 400 && answer.schema === undefined) {
    return {
      description: answer.description,
      content: { 'application/problem+json': { schema: { $ref: PROBLEM } } },
    };
  }
  if (answer.contentType === undefined) return { description: answer.description };
  const schema = answer.schema === undefined ? {} : schemaOf(answer.schema, 'output');
  const others = Object.entries(answer.alsoAs ?? {}).map(([type, other]) => [
    type,
    { schema: schemaOf(other, 'output') },
  ]);
  return {
    description: answer.description,
    content: { [answer.contentType]: { schema }, ...Object.fromEntries(others) },
  };
}

/** Errors that occur before the handler. */
function commonAnswers({ access, body }: Endpoint): Record<number, Answer> {
  const token: Record<number, Answer> = {
    ...(access.kind === 'public'
      ? {}
      : {
          401: {
            description:
              access.kind === 'token'
                ? 'The token is missing or invalid'
                : 'The token is missing or invalid, if the deployment requires one',
          },
        }),
    ...(access.kind === 'public'
      ? {}
      : { 403: { description: 'The token does not permit this request' } }),
  };
  const written: Record<number, Answer> =
    body === undefined
      ? {}
      : {
          408: { description: 'The body arrived too slowly' },
          413: { description: 'The body is too large' },
          415: { description: 'The body is compressed, multipart or not JSON' },
        };
  const often =
    access.kind === 'public'
      ? {}
      : { 429: { description: 'Too many requests; retry after the time in `Retry-After`' } };
  return {
    ...token,
    ...often,
    ...written,
    503: { description: 'A dependency is unavailable; retry after the time in `Retry-After`' },
  };
}

const EITHER_TOKEN = [{ bearer: [] }, { queryToken: [] }];
const SECURITY = { public: [], optional: [{}, ...EITHER_TOKEN], token: EITHER_TOKEN } as const;

const securityOf = (access: Access) =>
  access.kind === 'token' && access.needsQueryToken ? [{ queryToken: [] }] : SECURITY[access.kind];

/** A sentence that names the required scope. */
function scopeSentence(access: Access): string {
  if (access.kind !== 'token') return '';
  const scopes = [access.scope, access.orScope ?? []].flat().map((scope) => `\`${scope}\``);
  return ` Required scope: ${scopes.join(' or ')}.`;
}

/** @param serverUrl origin of the service */
export function openApi(endpoints: readonly Endpoint[], serverUrl: string): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of endpoints) {
    const { method, path, id, summary, description, tag, access, parameters, body } = endpoint;
    const answers = { ...commonAnswers(endpoint), ...endpoint.answers };
    const operation: Operation = {
      operationId: id,
      summary,
      description: `${description}${scopeSentence(access)}`,
      tags: [tag],
      security: securityOf(access),
      ...(parameters === undefined
        ? {}
        : {
            parameters: parameters.map(({ schema, required, ...named }) => ({
              ...named,
              required: required === true,
              schema: schemaOf(schema, 'input'),
            })),
          }),
      ...(body === undefined
        ? {}
        : {
            requestBody: {
              required: true,
              description: body.description,
              content: {
                'application/json': {
                  schema: schemaOf(body.schema, 'input'),
                  example: body.example,
                },
              },
            },
          }),
      responses: Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          answerOf(answer, Number(status)),
        ]),
      ),
    };
    paths[path] = { ...paths[path], [method]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Leadline',
      version: '1.0.0',
      description: 'Nautical chart tiles and crowdsourced reports. Not for navigation.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Operator of this service', url: `${serverUrl}/status` },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Problem: schemaOf(problemSchema, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        queryToken: { type: 'apiKey', in: 'query', name: 'token' },
      },
    },
  };
}
