// Generates the OpenAPI 3.1 document from the endpoints and their schemas.

import * as z from 'zod';
import { problemSchema } from '../../../shared/contract/problem.ts';
import { ApiError, problemParts } from '../runtime/errors.ts';
import { REFUSALS, type RefusalCode } from '../runtime/refusals.ts';
import recorded from './answer-examples.json' with { type: 'json' };
import { codeSamples } from './code-samples.ts';
import type { Access, Answer, Endpoint } from './endpoint.ts';
import { TAGS } from './openapi-tags.ts';

export type OpenApi = ReturnType<typeof openApi>;
export type Operation = ReturnType<typeof operationOf>;

/** A JSON schema (2020-12). */
type Schema = Record<string, unknown>;

/** Schemas with an id, by this id. */
type Components = Record<string, Schema>;

type Content = Record<string, { readonly schema: Schema; example?: unknown }>;

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
  const { prefixItems } = made as { readonly prefixItems?: readonly MadeSchema[] };
  if (prefixItems === undefined) return;
  delete made.prefixItems;
  made.minItems = prefixItems.length;
  made.maxItems = prefixItems.length;
  const minimum = Math.min(...prefixItems.map((item) => item.minimum ?? Number.NaN));
  const maximum = Math.max(...prefixItems.map((item) => item.maximum ?? Number.NaN));
  made.items = { ...prefixItems[0], ...(minimum <= maximum && { minimum, maximum }) };
}

/** @param components receives the schemas with an id that the schema refers to */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Components): Schema {
  const converted = z.toJSONSchema(z.object({ schema }), {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  const text = JSON.stringify({ ...converted.$defs, '': converted.properties!['schema'] });
  const { '': root, ...named } = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'));
  Object.assign(components, named);
  return root;
}

const PROBLEM = { contentType: 'application/problem+json', schema: problemSchema };

/** A response in the document. */
interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

/** Headers of a response that clients act on. @param isCached whether the endpoint can answer 304 */
function headersOf(status: number, isCached: boolean): Pick<Response, 'headers'> {
  const text = (description: string) => ({ description, schema: { type: 'string' } });
  if ([429, 503].includes(status))
    return { headers: { 'Retry-After': text('Seconds until the next attempt') } };
  if (status === 416 || status === 206)
    return { headers: { 'Content-Range': text('The bytes sent, and the size of the whole file') } };
  return isCached && (status === 200 || status === 304)
    ? { headers: { ETag: text('Version of the response, for `If-None-Match`') } }
    : {};
}

function answerOf(
  id: string,
  given: Answer,
  status: number,
  components: Components,
  isCached: boolean,
): Response {
  const isProblem = status >= 400 && given.schema === undefined;
  const answer = isProblem
    ? { ...given, ...PROBLEM, example: given.error && problemExample(status, given.error) }
    : { ...given, example: given.example ?? (status < 400 ? EXAMPLES[id] : undefined) };
  const { contentType: type, schema, example } = answer;
  const described = { description: answer.description, ...headersOf(status, isCached) };
  if (type === undefined) return described;
  const schemas = { [type]: schema ?? fileSchema(type), ...answer.alsoAs };
  const content: Content = {};
  for (const [name, one] of Object.entries(schemas)) {
    content[name] = { schema: schemaOf(one, 'output', components) };
  }
  content[type]!.example = example;
  return { ...described, content };
}

/** Responses of the demo charts by operation. */
const EXAMPLES: Readonly<Record<string, unknown>> = recorded;

/** The body of a response that is not JSON: a string for generated clients, or bytes. */
const fileSchema = (contentType: string): z.ZodType =>
  contentType.startsWith('text/') ? z.string() : z.string().meta({ format: 'binary' });

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
    codes.map((error) => [REFUSALS[error].status, { description: REFUSALS[error].meaning, error }]),
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
  const scopes = [access.scope, ...(access.orScopes ?? [])].map((scope) => `\`${scope}\``);
  const session =
    access.orRole === undefined ? '' : `, or a session with the role \`${access.orRole}\``;
  return ` Required scope: ${scopes.join(' or ')}${session}.`;
}

function operationOf(endpoint: Endpoint, components: Components, server: string) {
  const { id, summary, description, tag, access, parameters, body } = endpoint;
  const answers = Object.entries({ ...commonAnswers(endpoint), ...endpoint.answers });
  return {
    operationId: id,
    summary,
    description: `${description}${scopeSentence(access)}`,
    tags: [tag] as string[],
    security: securityOf(access),
    ...(parameters && {
      parameters: parameters.map(({ required = false, ...parameter }) => {
        return { ...parameter, required, schema: schemaOf(parameter.schema, 'input', components) };
      }),
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
    responses: Object.fromEntries(
      answers.map(([status, one]) => [
        status,
        answerOf(id, one, Number(status), components, 304 in endpoint.answers),
      ]),
    ),
    'x-code-samples': codeSamples(endpoint, server),
  };
}

/** @param server origin of the service */
export function openApi(endpoints: readonly Endpoint[], server: string) {
  const schemas: Components = {};
  const paths: Record<string, Record<string, Operation>> = {};
  for (const one of endpoints) {
    paths[one.path] = { ...paths[one.path], [one.method]: operationOf(one, schemas, server) };
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
