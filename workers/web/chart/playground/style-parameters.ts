// The parameters of a style document as the service's own description has them, so that none is
// forgotten here. https://spec.openapis.org/oas/v3.1.0#parameter-object

/** A parameter's schema, as far as a form is made from it (JSON Schema 2020-12). */
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
/** Said by the page in other ways. */
const NOT_CHOSEN: ReadonlySet<string> = new Set(['token']);

/** @throws Error in words for the reader, where the description cannot be had */
export async function readStyleParameters(): Promise<StyleParameter[]> {
  const answer = await fetch('/openapi.json').catch(() => undefined);
  if (answer?.ok !== true) throw new Error('The parameters cannot be read. Reload this page.');
  const { paths } = (await answer.json()) as Described;
  const listed = paths[STYLE_PATH]?.get?.parameters ?? [];
  return listed.filter((one) => one.in === 'query' && !NOT_CHOSEN.has(one.name));
}

/** Values by parameter as texts, as an address has them; what is as usual is not among them. */
export type Said = Readonly<Record<string, string>>;

/** The address of a style. @param token a placeholder, where the address is to be shown */
export function styleAddress(origin: string, said: Said, token: string): string {
  return `${origin}${STYLE_PATH}?${new URLSearchParams({ ...said, token })}`;
}

/** A text as the settings of a saved style have it: a number, yes or no, a list, or the text. */
export function settingOf({ name, schema }: StyleParameter, text: string): unknown {
  if (schema.type === 'boolean') return text === 'true';
  if (schema.type === 'number') return Number(text);
  if (!LISTS.has(name)) return text;
  return text
    .split(',')
    .flatMap((one) => (one.trim() === '' || one === 'none' ? [] : [one.trim()]));
}

/** In addresses these are one text with commas. */
const LISTS: ReadonlySet<string> = new Set(['hideLayers', 'showLayers', 'textGroups']);
/** What a saved style does not keep among its settings. */
const NOT_SAVED: ReadonlySet<string> = new Set(['styleId', 'styleName', 'theme', 'live']);

export const settingsOf = (
  parameters: readonly StyleParameter[],
  said: Said,
): Record<string, unknown> =>
  Object.fromEntries(
    parameters.flatMap((one) => {
      const text = said[one.name];
      return text === undefined || NOT_SAVED.has(one.name)
        ? []
        : [[one.name, settingOf(one, text)]];
    }),
  );
