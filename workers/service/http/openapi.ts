// Generates the OpenAPI 3.1 document from the endpoints and their schemas.

import * as z from 'zod';
import { problemSchema } from '../../../shared/contract/problem.ts';
import { ApiError, problemParts } from '../runtime/errors.ts';
import type { RefusalCode } from '../runtime/refusals.ts';
import answerExamples from './answer-examples.json' with { type: 'json' };
import { codeSamples } from './code-samples.ts';
import { type Access, type Answer, type Endpoint, FORM } from './endpoint.ts';
import { TAGS } from './openapi-tags.ts';
import type { Json, Operation, Schema } from './operation.ts';

export interface OpenApi extends Json {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: object;
  };
}

const COMPONENTS = '#/components/schemas/';

/** Schemas with an id, by this id. */
type Components = Record<string, Schema>;

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
  const least = schemas.map(({ minimum = Number.NaN }) => minimum);
  const most = schemas.map(({ maximum = Number.NaN }) => maximum);
  const [minimum, maximum] = [Math.min(...least), Math.max(...most)];
  return Number.isNaN(minimum) || Number.isNaN(maximum) ? {} : { minimum, maximum };
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

function answerOf(id: string, answer: Answer, status: number, components: Components) {
  const { description, contentType, error, schema, alsoAs = {} } = answer;
  if (status >= 400 && schema === undefined) {
    const content = {
      schema: { $ref: `${COMPONENTS}Problem` },
      example: error && problemExample(status, error),
    };
    return { description, content: { 'application/problem+json': content } };
  }
  if (contentType === undefined) return { description };
  const example = answer.example ?? (status < 400 ? EXAMPLES[id] : undefined);
  const content: Record<string, object> = {
    [contentType]: {
      schema: schemaOf(schema ?? fileSchema(contentType), 'output', components),
      example,
    },
  };
  for (const [type, other] of Object.entries(alsoAs)) {
    content[type] = { schema: schemaOf(other, 'output', components) };
  }
  return { description, content };
}

/** The body of a response that is not JSON: a string for generated clients, or bytes. */
const fileSchema = (contentType: string): z.ZodType =>
  contentType.startsWith('text/') ? z.string() : z.string().meta({ format: 'binary' });

/** Responses of the demo charts by operation. */
const EXAMPLES: Readonly<Record<string, unknown>> = answerExamples;

function problemExample(status: number, code: RefusalCode): unknown {
  const error = new ApiError(code, undefined, { status });
  return JSON.parse(problemParts(error, 'f0c1d2e3a4b5').text);
}

/** Whether a session is accepted instead of a token. */
const hasRole = (access: Access): boolean => access.kind === 'token' && access.orRole !== undefined;

/** Errors that occur before the handler. */
const commonAnswers = ({ access, body }: Endpoint): Readonly<Record<number, Answer>> => ({
  ...(access.kind !== 'public' && {
    401: {
      description:
        access.kind === 'session'
          ? 'There is no session, or it has ended'
          : hasRole(access)
            ? 'There is no valid token and no session'
            : `The token is missing or invalid${access.kind === 'token' ? '' : ', if the deployment requires one'}`,
      error: access.kind === 'session' ? 'session_required' : 'token_required',
    },
    403:
      access.kind === 'session'
        ? { description: 'The role does not permit this request', error: 'role_required' }
        : {
            description: `The token${hasRole(access) ? ' or the session' : ''} does not permit this request`,
            error: 'scope_required',
          },
    429: {
      description: 'Too many requests; retry after the time in `Retry-After`',
      error: 'too_many_requests',
    },
  }),
  ...(body && {
    408: { description: 'The body arrived too slowly', error: 'request_timeout' },
    413: { description: 'The body is too large', error: 'body_too_large' },
    415: {
      description:
        body.contentType === FORM
          ? 'The body is no form'
          : 'The body is compressed, multipart or not JSON',
      error: 'unsupported_media_type',
    },
  }),
  503: {
    description: 'A dependency is unavailable; retry after the time in `Retry-After`',
    error: 'unavailable',
  },
});

const TOKEN_FORMS =
  'An API token of the service: a signed token (a JWT, three parts separated by dots) or an opaque token (32 hexadecimal digits in lower case). Both have the same rights.';
const EITHER_TOKEN = [{ bearer: [] }, { queryToken: [] }];
const SECURITY = {
  public: [],
  optional: [{}, ...EITHER_TOKEN],
  token: EITHER_TOKEN,
  session: [{ session: [] }],
} as const;

function securityOf(access: Access) {
  if (access.kind !== 'token') return SECURITY[access.kind];
  if (access.needsQueryToken) return [{ queryToken: [] }];
  return access.orRole === undefined ? EITHER_TOKEN : [...EITHER_TOKEN, ...SECURITY.session];
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

function operationOf(endpoint: Endpoint, components: Components): Operation {
  const { id, summary, description, tag, access, parameters, body } = endpoint;
  const answers = Object.entries({ ...commonAnswers(endpoint), ...endpoint.answers });
  return {
    operationId: id,
    summary,
    description: `${description}${scopeSentence(access)}`,
    tags: [tag],
    security: securityOf(access),
    ...(parameters && {
      parameters: parameters.map(({ schema, required, ...named }) => ({
        ...named,
        required: required === true,
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
        },
      },
    }),
    responses: Object.fromEntries(
      answers.map(([status, one]) => [status, answerOf(id, one, Number(status), components)]),
    ),
  };
}

/** The parts of the document that are the same at every address of the service. */
export function describeEndpoints(
  endpoints: readonly Endpoint[],
): Pick<OpenApi, 'paths' | 'components'> {
  const schemas: Components = {};
  schemaOf(problemSchema, 'output', schemas);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of endpoints) {
    const { path, method } = endpoint;
    paths[path] = { ...paths[path], [method]: operationOf(endpoint, schemas) };
  }
  const securitySchemes = {
    bearer: { type: 'http', scheme: 'bearer', description: TOKEN_FORMS },
    queryToken: { type: 'apiKey', in: 'query', name: 'token', description: TOKEN_FORMS },
    session: {
      type: 'http',
      scheme: 'bearer',
      description:
        'A session token of the portal, from `POST /api/portal/v1/auth/login`. Browsers send the session cookie instead; with it, changes are accepted from pages of the service only.',
    },
  };
  return { paths, components: { schemas, securitySchemes } };
}

/** @param serverUrl origin of the service */
export function openApi(
  { paths, components }: Pick<OpenApi, 'paths' | 'components'>,
  serverUrl: string,
): OpenApi {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Leadline',
      version: '1.0.0',
      description: 'Nautical chart tiles and crowdsourced reports. Not for navigation.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: { name: 'Operator of this service', url: `${serverUrl}/status` },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: withSamples(paths, serverUrl),
    components,
  };
}

const withSamples = (paths: OpenApi['paths'], serverUrl: string): OpenApi['paths'] =>
  mapEntries(paths, (path, operations) =>
    mapEntries(operations, (method, operation) => ({
      ...operation,
      'x-code-samples': codeSamples(operation, method, path, serverUrl),
    })),
  );

const mapEntries = <T>(values: Readonly<Record<string, T>>, change: (key: string, value: T) => T) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(key, value)]));
