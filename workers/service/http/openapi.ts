// Generates the OpenAPI 3.1 document from the endpoints and their schemas.

import * as z from 'zod';
import { problemSchema } from '../../../shared/contract/problem.ts';
import { ApiError, problemParts } from '../runtime/errors.ts';
import { REFUSALS, type RefusalCode } from '../runtime/refusals.ts';
import answerExamples from './answer-examples.json' with { type: 'json' };
import { codeSamples } from './code-samples.ts';
import type { Access, Answer, Endpoint } from './endpoint.ts';
import { TAGS } from './openapi-tags.ts';

export type OpenApi = ReturnType<typeof openApi>;
export type Operation = ReturnType<typeof operationOf>;

const COMPONENTS = '#/components/schemas/';

/** A JSON schema (2020-12). */
type Schema = Record<string, unknown>;

/** Schemas with an id, by this id. */
type Components = Record<string, Schema>;

type Content = Record<string, { readonly schema: Schema; readonly example?: unknown }>;

type MadeSchema = z.core.JSONSchema.BaseSchema;

/** Writes a schema as client generators understand it best. */
function simplify(made: MadeSchema): void {
  const inner = made.anyOf?.find(({ type }) => type !== 'null');
  if (made.anyOf?.length === 2 && made.anyOf.some(({ type }) => type === 'null')) {
    // A reference with siblings stays an `anyOf`, and needs the description outside.
    if (inner?.description !== undefined) made.description ??= inner.description;
    if (typeof inner?.type === 'string') {
      delete made.anyOf;
      Object.assign(made, { ...inner, ...made, type: [inner.type, 'null'] });
      if (made.enum !== undefined) made.enum = [...made.enum, null];
    }
  }
  // Few generators can read `prefixItems`. All items of a tuple have the same type here.
  const prefixItems = made.prefixItems as readonly MadeSchema[] | undefined;
  if (prefixItems === undefined) return;
  delete made.prefixItems;
  made.minItems = prefixItems.length;
  made.maxItems = prefixItems.length;
  made.items = { ...prefixItems[0], ...rangeOf(prefixItems) };
}

/** The range that contains those of all the schemas; empty if one of them has no range. */
function rangeOf(schemas: readonly MadeSchema[]): Pick<MadeSchema, 'minimum' | 'maximum'> {
  const minimum = Math.min(...schemas.map((schema) => schema.minimum ?? Number.NaN));
  const maximum = Math.max(...schemas.map((schema) => schema.maximum ?? Number.NaN));
  return Number.isNaN(minimum + maximum) ? {} : { minimum, maximum };
}

/** @param components receives the schemas with an id that the schema refers to */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Components): Schema {
  const converted = z.toJSONSchema(z.object({ schema }), {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  const text = JSON.stringify({ ...converted.$defs, '': converted.properties!['schema'] });
  const { '': root, ...named } = JSON.parse(text.replaceAll('#/$defs/', COMPONENTS));
  Object.assign(components, named);
  return root;
}

function answerOf(
  id: string,
  answer: Answer,
  status: number,
  components: Components,
): { description: string; content?: Content } {
  const { description, contentType, error, schema, alsoAs = {} } = answer;
  if (status >= 400 && schema === undefined) {
    const problem = {
      schema: { $ref: `${COMPONENTS}Problem` },
      example: error && problemExample(status, error),
    };
    return { description, content: { 'application/problem+json': problem } };
  }
  if (contentType === undefined) return { description };
  const schemas = { [contentType]: schema ?? fileSchema(contentType), ...alsoAs };
  const content: Content = mapValues(schemas, (one) => ({
    schema: schemaOf(one, 'output', components),
  }));
  const example = answer.example ?? (status < 400 ? EXAMPLES[id] : undefined);
  content[contentType] = { ...content[contentType]!, example };
  return { description, content };
}

const mapValues = <From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));

/** The body of a response that is not JSON: a string for generated clients, or bytes. */
const fileSchema = (contentType: string): z.ZodType =>
  contentType.startsWith('text/') ? z.string() : z.string().meta({ format: 'binary' });

/** Responses of the demo charts by operation. */
const EXAMPLES: Readonly<Record<string, unknown>> = answerExamples;

function problemExample(status: number, code: RefusalCode): unknown {
  const error = new ApiError(code, undefined, { status });
  return JSON.parse(problemParts(error, 'f0c1d2e3a4b5').text);
}

/** Errors that occur before the handler, with their meanings. */
function commonAnswers({ access, body }: Endpoint): Readonly<Record<number, Answer>> {
  const needs = access.kind === 'session' ? SESSION_ERRORS : TOKEN_ERRORS;
  const codes: readonly RefusalCode[] = [
    ...(access.kind === 'public' ? [] : needs),
    ...(body === undefined ? [] : BODY_ERRORS),
    'unavailable',
  ];
  return Object.fromEntries(
    codes.map((error) => {
      const { status, meaning: description } = REFUSALS[error];
      return [status, { description, error }];
    }),
  );
}

const TOKEN_ERRORS = ['token_required', 'scope_required', 'too_many_requests'] as const;
const SESSION_ERRORS = ['session_required', 'role_required', 'too_many_requests'] as const;
const BODY_ERRORS = ['request_timeout', 'body_too_large', 'unsupported_media_type'] as const;

const TOKEN_FORMS =
  'An API token of the service: a signed token (a JWT, three parts separated by dots) or an opaque token (32 hexadecimal digits in lower case). Both have the same rights.';
const SESSION =
  'A session token of the portal, from `POST /api/portal/v1/auth/login`. Browsers send the session cookie instead; with it, changes are accepted from pages of the service only.';
const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: TOKEN_FORMS },
  queryToken: { type: 'apiKey', in: 'query', name: 'token', description: TOKEN_FORMS },
  session: { type: 'http', scheme: 'bearer', description: SESSION },
};

const EITHER_TOKEN = [{ bearer: [] }, { queryToken: [] }];
const SESSIONS = [{ session: [] }];
const SECURITY = { public: [], optional: [{}, ...EITHER_TOKEN], session: SESSIONS } as const;

function securityOf(access: Access) {
  if (access.kind !== 'token') return SECURITY[access.kind];
  if (access.needsQueryToken) return [{ queryToken: [] }];
  return access.orRole === undefined ? EITHER_TOKEN : [...EITHER_TOKEN, ...SESSIONS];
}

/** A sentence that names the required scope. */
function scopeSentence(access: Access): string {
  if (access.kind === 'session') return ` Required role: \`${access.role}\`.`;
  if (access.kind !== 'token') return '';
  const scopes = [access.scope, access.orScope ?? []].flat().map((scope) => `\`${scope}\``);
  const session =
    access.orRole === undefined ? '' : `, or a session with the role \`${access.orRole}\``;
  return ` Required scope: ${scopes.join(' or ')}${session}.`;
}

function operationOf(endpoint: Endpoint, components: Components, server: string) {
  const { id, summary, description, tag, access, parameters, body } = endpoint;
  const answers = { ...commonAnswers(endpoint), ...endpoint.answers };
  return {
    operationId: id,
    summary,
    description: `${description}${scopeSentence(access)}`,
    tags: [tag] as string[],
    security: securityOf(access),
    ...(parameters && {
      parameters: parameters.map(({ schema, required = false, ...named }) => ({
        ...named,
        required,
        schema: schemaOf(schema, 'input', components),
      })),
    }),
    ...(body && {
      requestBody: {
        required: true,
        description: body.description,
        content: {
          [body.contentType ?? 'application/json']: {
            schema: schemaOf(body.schema, 'input', components),
            example: body.example,
          },
        } as Content,
      },
    }),
    responses: mapValues(answers, (answer, status) =>
      answerOf(id, answer, Number(status), components),
    ),
    'x-code-samples': codeSamples(endpoint, server),
  };
}

/** @param server origin of the service */
export function openApi(endpoints: readonly Endpoint[], server: string) {
  const schemas: Components = {};
  schemaOf(problemSchema, 'output', schemas);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of endpoints) {
    const { path, method } = endpoint;
    paths[path] = { ...paths[path], [method]: operationOf(endpoint, schemas, server) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Leadline',
      version: '1.0.0',
      description: 'Nautical chart tiles and crowdsourced reports. Not for navigation.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: { name: 'Operator of this service', url: `${server}/status` },
    },
    servers: [{ url: server }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas, securitySchemes: SECURITY_SCHEMES },
  };
}
