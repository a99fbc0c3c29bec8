// Responses held against the service's own OpenAPI document.

import { Ajv2020 } from 'ajv/dist/2020.js';

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: unknown;
}

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

/** What is wrong with a response according to the document; empty where it is as documented. */
export type ResponseCheck = (method: string, path: string, response: Response) => Promise<string[]>;

export function responseCheck(document: OpenApiDocument): ResponseCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const routes = Object.entries(document.paths).map(([template, operations]) => ({
    pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    operations,
  }));
  return async (method, path, response) => {
    const route = routes.find(({ pattern }) => pattern.test(new URL(path, 'http://x').pathname));
    const operation = route?.operations[method.toLowerCase()];
    if (operation === undefined) return [`${method} ${path} is not in the document`];
    const answer = operation.responses[String(response.status)];
    if (answer === undefined) return [`${response.status} is not documented for ${path}`];
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const content = answer.content?.[type];
    if (content === undefined) {
      const isEmpty = (await response.clone().arrayBuffer()).byteLength === 0;
      return isEmpty ? [] : [`${type} is not documented for ${response.status} of ${path}`];
    }
    if (!type.endsWith('json')) return [];
    const validate = ajv.compile({ ...content.schema, components: document.components });
    return validate(await response.clone().json())
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
