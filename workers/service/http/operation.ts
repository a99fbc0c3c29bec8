// The shape of an operation of the OpenAPI document.

export type Json = Record<string, unknown>;

/** A JSON schema (2020-12). */
export type Schema = Json;

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
  /** Read by openapi-explorer and other reference pages. */
  readonly 'x-code-samples'?: readonly CodeSample[];
}

/** The extension `x-code-samples`. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}
