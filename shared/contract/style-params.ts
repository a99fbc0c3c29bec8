// Schemas of the style parameters: as a query of base.json, as settings of a saved style and for
// the API reference. All are derived from the table in shared/style/options.ts. An invalid value is
// rejected, because a style that silently loses its safety contour is a hazard.

import * as z from 'zod';
import { isFontList, MAX_FONTS } from '../style/fonts.ts';
import { STYLE_TEXTS } from '../style/option-texts.ts';
import {
  DEFAULT_OPTIONS,
  STYLE_PARAMETERS,
  type StyleOptions,
  type StyleParameter,
  type StyleParameterName,
  type StyleValue,
  type UnsavedParameter,
} from '../style/options.ts';
import { GLYPHS_TEMPLATE, IMAGERY_TEMPLATE, isUrlTemplate } from './url-template.ts';

const MAX_LAYER_IDS = 400;
/**
 * A decimal number: `3`, `.5`, `5.`, `1e1`. zod also tests texts that are too long, so each text must match in
 * only one way: otherwise long ones take quadratic time.
 */
const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;
const MAX_NUMBER_CHARACTERS = 64;

const ANY_RANGE = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** Values that have the same form in a query and in a saved style. */
function textSchema({ kind, values = [] }: StyleParameter): z.ZodType {
  switch (kind) {
    case 'one-of':
      return z.enum(values);
    case 'imagery-template':
    case 'glyphs-template': {
      const rule = kind === 'imagery-template' ? IMAGERY_TEMPLATE : GLYPHS_TEMPLATE;
      return z.string().refine((value) => isUrlTemplate(value, rule), rule.message);
    }
    case 'fonts': {
      const message = `must be a font, or up to ${MAX_FONTS} separated by commas`;
      return z.string().refine(isFontList, message);
    }
    default:
      // An id or name of any form: if it is unknown, the response is 404.
      return z.string();
  }
}

function queryValueSchema(parameter: StyleParameter): z.ZodType {
  const { kind, values = [], range: [least, most] = ANY_RANGE, unit } = parameter;
  switch (kind) {
    case 'flag':
      return z
        .enum(['true', 'false', '1', '0'])
        .transform((value) => value === 'true' || value === '1');
    case 'number':
      return (
        z
          .string()
          .max(MAX_NUMBER_CHARACTERS)
          .regex(NUMBER, `must be a number${unit === undefined ? '' : ` of ${unit}`}`)
          // Convert −0 to 0, in the document and in the cache key.
          .transform((value) => Number(value) || 0)
          .refine(
            (value) => value >= least && value <= most,
            `must be from ${least} to ${most}${unit === undefined ? '' : ` ${unit}`}`,
          )
      );
    case 'layer-ids':
      return layerIdsOfQuery;
    case 'several':
      return listOfQuery(values);
    default:
      return textSchema(parameter);
  }
}

const layerIdsOfQuery = z
  .string()
  .max(16_384)
  .transform((value) =>
    value
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  )
  .refine((ids) => ids.length <= MAX_LAYER_IDS, `must name at most ${MAX_LAYER_IDS} layers`);

/** Known values without duplicates, in the order of the table; `none` for an empty list. */
const listOfQuery = (known: readonly string[]) =>
  z
    .string()
    .max(256)
    .transform((value) => value.split(',').map((name) => name.trim()))
    .pipe(
      z.union([z.tuple([z.literal('none')]), z.array(z.enum(known)).min(1)], {
        error: `must be none, or one or more of ${known.join(', ')}, separated by commas`,
      }),
    )
    .transform((names) => known.filter((one) => (names as readonly string[]).includes(one)));

/** An empty value counts as absent. */
const given = (inner: z.ZodType) =>
  z
    .string()
    .optional()
    .transform((value) => (value === '' ? undefined : value))
    .pipe(inner.optional() as z.ZodType<unknown, string | undefined>);

const NAMES = Object.keys(STYLE_PARAMETERS) as StyleParameterName[];

/** Query parameters of `GET /api/v1/styles/base.json`; unknown ones are ignored. */
export const styleQuerySchema = z.object(
  Object.fromEntries(
    NAMES.map((name) => [name, given(queryValueSchema(STYLE_PARAMETERS[name]))]),
  ) as unknown as {
    [Name in StyleParameterName]: z.ZodType<StyleValue<Name> | undefined, string | undefined>;
  },
);

export type StyleQuery = z.infer<typeof styleQuerySchema>;

function settingSchema(parameter: StyleParameter): z.ZodType {
  const { kind, values = [], range: [least, most] = ANY_RANGE } = parameter;
  switch (kind) {
    case 'flag':
      return z.boolean();
    case 'number':
      return z.number().min(least).max(most);
    case 'one-of':
      return values.includes('false')
        ? z.union([z.enum(values), z.literal(false)])
        : z.enum(values);
    case 'several':
      return z.array(z.enum(values)).max(values.length);
    case 'layer-ids':
      return z.array(z.string().max(128)).max(MAX_LAYER_IDS);
    default:
      return textSchema(parameter);
  }
}

export type SettingName = Exclude<StyleParameterName, UnsavedParameter>;
/** JSON may contain `false` for the value `'false'`. */
type SettingValue<Value> = string extends Value
  ? Value
  : 'false' extends Value
    ? Value | false
    : Value;

const isSetting = (name: StyleParameterName): name is SettingName =>
  !('isUnsaved' in STYLE_PARAMETERS[name]);

/** The settings of a saved style. `null` counts as absent. */
export const SETTING_SCHEMAS = Object.fromEntries(
  NAMES.filter(isSetting).map((name) => [
    name,
    settingSchema(STYLE_PARAMETERS[name]).nullish().describe(STYLE_TEXTS[name].description),
  ]),
) as unknown as {
  [Name in SettingName]: z.ZodOptional<
    z.ZodNullable<z.ZodType<SettingValue<StyleValue<Name>>, SettingValue<StyleValue<Name>>>>
  >;
};

/** The schema of a query parameter for the API reference: its values or range, and its default. */
export function documentedSchema(parameter: StyleParameter): z.ZodType {
  const { kind, values = [], range: [least, most] = ANY_RANGE } = parameter;
  const schemas: Partial<Record<StyleParameter['kind'], z.ZodType>> = {
    flag: z.boolean(),
    number: z.number().min(least).max(most),
    'one-of': z.enum(values),
  };
  const schema = schemas[kind];
  if (schema === undefined) return z.string();
  return parameter.default === undefined ? schema : schema.default(parameter.default);
}

/** Parameters of the request override saved settings, which override defaults. */
export function styleOptions(query: StyleQuery, saved: Partial<StyleOptions> = {}): StyleOptions {
  const { styleId: _id, styleName: _name, ...parameters } = query;
  const present = Object.fromEntries(
    Object.entries(parameters).filter(([, value]) => value !== undefined),
  );
  // The symbols of a saved style belong to its theme.
  const { iconSet: _set, ...themeless } = saved;
  const isOfTheme = parameters.theme === undefined || parameters.theme === saved.theme;
  return {
    ...DEFAULT_OPTIONS,
    ...(isOfTheme ? saved : themeless),
    ...present,
  };
}

/** A cache key, equal for requests of the same document: sorted, without defaults and the token. */
export function styleCacheKey(options: StyleOptions): string {
  const entries = Object.entries(options)
    .filter(
      ([key, value]) =>
        JSON.stringify(value) !== JSON.stringify(DEFAULT_OPTIONS[key as keyof StyleOptions]),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(entries);
}
