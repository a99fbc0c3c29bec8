// A saved style: a name, a base theme, colours by token, and settings with the names of the
// parameters of base.json. Unknown keys are stored, because other clients may use them.

import * as z from 'zod';
import { STYLE_TEXTS } from '../style/option-texts.ts';
import { BASE_THEMES, type BaseTheme, type StyleOptions } from '../style/options.ts';
import { COLOR_TOKENS } from '../style/palette.ts';
import { examine } from './examine.ts';
import { faultsOf } from './faults.ts';
import { faultOfJson } from './plain-json.ts';
import { storedCharacters } from './stored-length.ts';
import { SETTING_SCHEMAS, type SettingName } from './style-params.ts';
import { epochMs, NO_CONTROLS } from './units.ts';

export const MAX_SAVED_STYLES = 100;
export const MAX_STYLE_BODY_BYTES = 32_768;
const MAX_PARAMETERS_CHARACTERS = 8192;
const MAX_PARAMETERS_DEPTH = 8;
const MAX_PATH_CHARACTERS = 100;

/** `null` counts as absent. */
const orNull = <T extends z.ZodType>(inner: T) => inner.nullish();

const settingsSchema = z.looseObject({
  ...SETTING_SCHEMAS,
  // Other services have other sets. Unknown names are stored without effect.
  iconSet: orNull(z.string().max(64)).describe(
    `${STYLE_TEXTS.iconSet.description}. Other names are stored and have no effect`,
  ),
});

type KeyFault = { readonly path: string; readonly message: string };

/** A misspelt key would be ignored silently, and a missing safety contour is a hazard. */
function misspeltOf(names: readonly string[]): (held: object) => KeyFault[] {
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  return (held) =>
    Object.keys(held).flatMap((key) => {
      const knownKey = byLowerCase.get(key.toLowerCase());
      const isNearly = knownKey !== undefined && knownKey !== key;
      return isNearly ? [{ path: key, message: `must be spelt ${knownKey}` }] : [];
    });
}

const misspeltSettings = misspeltOf(Object.keys(settingsSchema.shape));
const misspeltParameters = misspeltOf(['colors', 'settings']);
const misspeltFields = misspeltOf(['name', 'theme', 'baseTheme', 'parameters']);
const misspeltColors = misspeltOf(COLOR_TOKENS);

const wrongSettings = (settings: object): KeyFault[] => [
  ...('theme' in settings
    ? [{ path: 'theme', message: 'is not a setting; use baseTheme next to parameters' }]
    : []),
  ...misspeltSettings(settings),
];

const color = z
  .string()
  .regex(/^#([0-9a-f]{6}|[0-9a-f]{8})$/i, 'must be a colour such as #a7d9fb')
  .transform((value) => value.toLowerCase());

const NAME_TEXT = 'Name of the style, 1 to 128 characters';
const THEME_TEXT = 'Palette for all colours that `colors` does not set; default `day`';
const PARAMETERS_TEXT = 'Colours and settings that differ from the base theme';
const COLORS_TEXT = 'Colours such as `#a7d9fb` by colour name of the style editor';
const SETTINGS_TEXT = 'Settings with the names of the parameters of base.json';

const parametersSchema = z
  .looseObject({
    colors: orNull(z.record(z.string().max(64), color)).describe(COLORS_TEXT),
    settings: orNull(
      settingsSchema
        .check(({ value, issues }) => {
          for (const { path, message } of wrongSettings(value)) {
            issues.push({ code: 'custom', path: [path], message, input: value });
          }
        })
        .meta({ id: 'StyleSettings', description: SETTINGS_TEXT }),
    ).describe(SETTINGS_TEXT),
  })
  .refine((value) => storedCharacters(value) <= MAX_PARAMETERS_CHARACTERS, {
    message: `must be at most ${MAX_PARAMETERS_CHARACTERS} characters of JSON, with numbers written without exponents`,
  });

/** What a client sends to create or replace a style. */
export const savedStyleInputSchema = z
  .object({
    name: z
      .string()
      .max(256)
      .transform((value) => value.normalize('NFC').trim())
      .pipe(
        z
          .string()
          .min(1)
          .max(128)
          .refine(...NO_CONTROLS),
      )
      .describe(NAME_TEXT),
    baseTheme: orNull(z.enum(BASE_THEMES)).describe(THEME_TEXT),
    theme: orNull(z.enum(BASE_THEMES)).describe('Same as `baseTheme`'),
    parameters: orNull(parametersSchema)
      .transform((value) => ({
        ...value,
        colors: value?.colors ?? {},
        settings: value?.settings ?? {},
      }))
      .describe(PARAMETERS_TEXT),
  })
  .meta({ id: 'SavedStyleInput', description: 'A style to create or replace' });

/** What a client sends to change parts of a style. */
export const savedStyleChangeSchema = savedStyleInputSchema.partial().meta({
  id: 'SavedStyleChange',
  description: 'Fields of a style to change; absent and null fields keep their value',
});

export type SavedStyleInput = Omit<z.infer<typeof savedStyleInputSchema>, 'theme' | 'baseTheme'> & {
  readonly baseTheme: BaseTheme;
};

/** Key of the copy of an account's styles in the key-value store. */
export const savedStylesKey = (account: string): string => `saved-styles-v1/${account}`;

/** A stored style. Times are epoch milliseconds. */
export const savedStyleSchema = z.object({
  id: z.uuid().describe('Id of the style, for the parameter `styleId`'),
  name: z.string().describe(NAME_TEXT),
  baseTheme: z.enum(BASE_THEMES).describe(THEME_TEXT),
  parameters: z
    .looseObject({
      colors: z.record(z.string(), z.string()).describe(COLORS_TEXT),
      settings: z.looseObject({}).describe(SETTINGS_TEXT),
    })
    .describe(PARAMETERS_TEXT),
  createdAt: epochMs.describe('Time of creation, epoch milliseconds'),
  updatedAt: epochMs.describe('Time of the last change, epoch milliseconds'),
});

export type SavedStyle = z.infer<typeof savedStyleSchema>;

/** Number of earlier versions of a style that are kept, as in the migration of saved styles in the portal. */
export const KEPT_STYLE_VERSIONS = 10;

/** What a style was before a change. */
export const styleVersionSchema = savedStyleSchema
  .pick({ baseTheme: true, parameters: true })
  .extend({
    savedAt: epochMs.describe('Time from which the version was in force, epoch milliseconds'),
  })
  .meta({ id: 'SavedStyleVersion', description: 'A style before a change' });

export type StyleVersion = z.infer<typeof styleVersionSchema>;

/** A key that `JSON.parse` keeps but the schema drops silently. */
const LOST_KEY = '__proto__';

function lostKeysOf(body: Readonly<Record<string, unknown>>): KeyFault[] {
  const parameters = Object(body['parameters']) as Readonly<Record<string, unknown>>;
  const held = {
    parameters,
    'parameters.colors': parameters['colors'],
    'parameters.settings': parameters['settings'],
  };
  return Object.entries(held)
    .filter(([, value]) => Object.hasOwn(Object(value), LOST_KEY))
    .map(([path]) => ({
      path: `${path}.${LOST_KEY}`,
      message: 'is a reserved name; use a different key',
    }));
}

/** A style in a response. */
export const presentedStyleSchema = savedStyleSchema
  .extend({
    ignored: z
      .array(z.string())
      .describe(
        'Paths of fields in the request without effect on the chart; absent if all have an effect',
      )
      .optional(),
  })
  .meta({ id: 'SavedStyle', description: 'A stored style' });

/** Fields of a response that clients may send back; the service sets them. */
const ANSWER_FIELDS = ['id', 'createdAt', 'updatedAt', 'ignored'];

function ignoredFields(body: object): string[] {
  const known = [...Object.keys(savedStyleInputSchema.shape), ...ANSWER_FIELDS];
  return Object.keys(body).filter((key) => !known.includes(key));
}

/**
 * A style for a response, with the paths of all fields without effect.
 *
 * @param unstored paths of fields that are not stored
 */
export function presentStyle(style: SavedStyle, unstored: readonly string[] = []) {
  const { colors, settings, ...others } = style.parameters;
  const tokens: readonly string[] = COLOR_TOKENS;
  const ignored = [
    ...unstored,
    ...Object.keys(others).map((key) => `parameters.${key}`),
    ...Object.keys(colors)
      .filter((key) => !tokens.includes(key))
      .map((key) => `parameters.colors.${key}`),
    ...Object.keys(settings)
      .filter((key) => settingOf(key, settings[key])?.success !== true)
      .map((key) => `parameters.settings.${key}`),
  ].map((path) => path.slice(0, MAX_PATH_CHARACTERS));
  return ignored.length === 0 ? style : { ...style, ignored };
}

type Body = Readonly<Record<string, unknown>>;
/** A style, or a part of it, with the paths of fields that are not stored; or all faults. */
export type ReadSavedStyle<Style> =
  | { readonly style: Style; readonly ignored: readonly string[] }
  | { readonly faults: readonly KeyFault[] };

/** Reads a style to create or replace. */
export function readSavedStyle(body: Body): ReadSavedStyle<SavedStyleInput> {
  const unfit = faultOfJson(body, MAX_PARAMETERS_DEPTH);
  if (unfit !== undefined) return { faults: [{ path: '', message: unfit }] };
  const lost = lostKeysOf(body);
  if (lost.length > 0) return { faults: lost };
  const parsed = examine(savedStyleInputSchema, body);
  if (parsed.success) {
    const { name, theme, parameters } = parsed.data;
    const baseTheme = parsed.data.baseTheme ?? theme ?? 'day';
    const misspelt = [
      ...(theme === baseTheme || (theme ?? undefined) === undefined
        ? []
        : [{ path: 'theme', message: 'differs from baseTheme; send one of them' }]),
      ...misspeltFields(body),
      ...misspeltParameters(parameters).map((one) => ({ ...one, path: `parameters.${one.path}` })),
      ...misspeltColors(parameters.colors).map((one) => ({
        ...one,
        path: `parameters.colors.${one.path}`,
      })),
    ];
    return misspelt.length === 0
      ? { style: { name, baseTheme, parameters }, ignored: ignoredFields(body) }
      : { faults: misspelt };
  }
  return {
    // A path may contain a key of the client, of any length.
    faults: faultsOf(parsed.error, MAX_PATH_CHARACTERS),
  };
}

/** Reads the fields of a style to change. */
export function readStyleChange(body: Body): ReadSavedStyle<Partial<SavedStyleInput>> {
  const read = readSavedStyle({ ...body, name: body['name'] ?? 'unchanged' });
  if ('faults' in read) return read;
  const { name, baseTheme, parameters } = read.style;
  const sets = (key: string) => (body[key] ?? undefined) !== undefined;
  const style = {
    ...(sets('name') ? { name } : {}),
    ...(sets('theme') || sets('baseTheme') ? { baseTheme } : {}),
    ...(sets('parameters') ? { parameters } : {}),
  };
  return { style, ignored: read.ignored };
}

/** A setting with an effect, parsed; `undefined` for a key that is no setting. */
const settingOf = (name: string, value: unknown) =>
  Object.hasOwn(SETTING_SCHEMAS, name)
    ? SETTING_SCHEMAS[name as SettingName].safeParse(value)
    : undefined;

/** Settings with the value `false` next to other words. */
const ONE_OF_WITH_FALSE = ['showMaritimeBoundaries', 'showCrowdDepth'];

/** The style options that a saved style sets. Unknown settings are ignored. */
export function savedOptions({ baseTheme, parameters }: SavedStyle): Partial<StyleOptions> {
  const { settings, colors } = parameters;
  // Parse again: a style may be older than the current schema.
  const known = Object.keys(SETTING_SCHEMAS).flatMap((name) => {
    const value = settingOf(name, settings[name])?.data;
    if (value === undefined || value === null) return [];
    return [[name, value === false && ONE_OF_WITH_FALSE.includes(name) ? 'false' : value]];
  });
  const tokens = COLOR_TOKENS.flatMap((token) => {
    const value = Object.hasOwn(colors, token) ? colors[token] : undefined;
    return value === undefined ? [] : [[token, value] as const];
  });
  return { ...Object.fromEntries(known), theme: baseTheme, colors: Object.fromEntries(tokens) };
}
