// Reads the parameters of a style document from the OpenAPI description of the service, so that the
// page always lists all of them. https://spec.openapis.org/oas/v3.1.0#parameter-object

import {
  STYLE_PARAMETERS,
  type StyleParameter as TableRow,
} from '../../../../shared/style/options.ts';

/** The parts of a parameter's schema that the form uses (JSON Schema 2020-12). */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface StyleParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
}

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get?: { readonly parameters?: readonly (StyleParameter & { in: string })[] } }
    >
  >;
}

export const STYLE_PATH = '/api/v1/styles/base.json';
/** Parameters that the form does not show. */
const NOT_CHOSEN: ReadonlySet<string> = new Set(['token']);

/** @throws Error with a message for the user if the description is not available */
export async function readStyleParameters(): Promise<StyleParameter[]> {
  const answer = await fetch('/openapi.json').catch(() => undefined);
  if (answer?.ok !== true) throw new Error('The parameters could not be loaded. Reload this page.');
  const { paths } = (await answer.json()) as Described;
  const listed = paths[STYLE_PATH]?.get?.parameters ?? [];
  return listed.filter((one) => one.in === 'query' && !NOT_CHOSEN.has(one.name));
}

/** Query values by parameter name. Parameters with their default are absent. */
export type ChosenValues = Readonly<Record<string, string>>;

/** Returns the URL of a style. @param token a token, or a placeholder to display */
export function styleAddress(origin: string, chosen: ChosenValues, token: string): string {
  return `${origin}${STYLE_PATH}?${new URLSearchParams({ ...chosen, token })}`;
}

const ROWS: Readonly<Record<string, TableRow>> = STYLE_PARAMETERS;

/** Converts a query value to the type of a saved style's setting: number, boolean, list or string. */
export function settingOf({ name, schema }: StyleParameter, text: string): unknown {
  if (schema.type === 'boolean') return text === 'true';
  if (schema.type === 'number') return Number(text);
  const kind = ROWS[name]?.kind;
  if (kind !== 'several' && kind !== 'layer-ids') return text;
  return text
    .split(',')
    .flatMap((one) => (one.trim() === '' || one === 'none' ? [] : [one.trim()]));
}

export const settingsOf = (
  parameters: readonly StyleParameter[],
  chosen: ChosenValues,
): Record<string, unknown> =>
  Object.fromEntries(
    parameters.flatMap((one) => {
      const text = chosen[one.name];
      return text === undefined || ROWS[one.name]?.isUnsaved === true
        ? []
        : [[one.name, settingOf(one, text)]];
    }),
  );
