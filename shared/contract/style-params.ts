// The query of base.json. An empty value counts as absent. Every other invalid value is rejected, because a
// style that silently loses its safety contour is a hazard.

import * as z from 'zod';
import { isFontList, MAX_FONTS } from '../style/fonts.ts';
import {
  BOUNDARY_STYLES,
  DEFAULT_OPTIONS,
  DEPTH_LIMIT_RANGE,
  DEPTH_UNITS,
  MARITIME_BOUNDARIES,
  type StyleOptions,
  SYMBOL_SETS,
  TEXT_GROUPS,
  type TextGroup,
  THEMES,
} from '../style/options.ts';
import {
  GLYPHS_TEMPLATE,
  IMAGERY_TEMPLATE,
  isUrlTemplate,
  type TemplateRule,
} from './url-template.ts';

export const FONT_MESSAGE = `must be a font, or up to ${MAX_FONTS} separated by commas`;
const MAX_LAYER_IDS = 400;
/** A decimal number: `3`, `.5`, `5.`, `1e1`. */
const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;
const MAX_NUMBER_CHARACTERS = 64;

/** An empty value counts as absent. */
const given = <T extends z.ZodType>(inner: T) =>
  z
    .string()
    .optional()
    .transform((value) => (value === '' ? undefined : value))
    .pipe(inner.optional() as unknown as z.ZodType<z.output<T> | undefined, string | undefined>);

const truth = given(
  z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1'),
);

const depthLimit = given(
  z
    .string()
    .max(MAX_NUMBER_CHARACTERS)
    .regex(NUMBER, 'must be a number of metres')
    // Convert −0 to 0, in the document and in the cache key.
    .transform((value) => Number(value) || 0)
    .refine(
      (value) => value >= DEPTH_LIMIT_RANGE[0] && value <= DEPTH_LIMIT_RANGE[1],
      'must be from -20 to 12000 metres',
    ),
);

const layerIds = given(
  z
    .string()
    .max(16_384)
    .regex(/^[\w, -]*$/, 'must be style layer ids separated by commas')
    .transform((value) =>
      value
        .split(',')
        .map((id) => id.trim())
        .filter((id) => id !== ''),
    )
    .refine((ids) => ids.length <= MAX_LAYER_IDS, `must name at most ${MAX_LAYER_IDS} layers`),
);

/** Groups of texts without duplicates, in the order of TEXT_GROUPS; `none` for no group. */
const textGroups = given(
  z
    .string()
    .max(256)
    .transform((value) => value.split(',').map((name) => name.trim()))
    .pipe(
      z.union([z.tuple([z.literal('none')]), z.array(z.enum(TEXT_GROUPS)).min(1)], {
        error: `must be none, or one or more of ${TEXT_GROUPS.join(', ')}, separated by commas`,
      }),
    )
    .transform((names): readonly TextGroup[] =>
      TEXT_GROUPS.filter((group) => (names as readonly string[]).includes(group)),
    ),
);

const urlTemplate = (rule: TemplateRule) =>
  given(z.string().refine((value) => isUrlTemplate(value, rule), rule.message));

const font = given(z.string().refine(isFontList, FONT_MESSAGE));

const identifier = given(
  z
    .string()
    .max(64)
    .regex(/^[\w-]+$/, 'must be a style id'),
);
const styleName = given(z.string().max(128));

/** Query parameters of `GET /api/v1/styles/base.json`; unknown ones are ignored. */
export const styleQuerySchema = z.object({
  styleId: identifier,
  styleName,
  theme: given(z.enum(THEMES)),
  depthLimit,
  depthUnits: given(z.enum(DEPTH_UNITS)),
  roundOffSoundings: truth,
  showLightSectors: truth,
  showEncBoundaries: truth,
  showMaritimeBoundaries: given(z.enum(MARITIME_BOUNDARIES)),
  showPlaceNames: truth,
  showOverscale: truth,
  showNoData: truth,
  showUserReports: truth,
  showSatellite: truth,
  maskLandAreas: truth,
  satelliteTileUrl: urlTemplate(IMAGERY_TEMPLATE),
  hideLayers: layerIds,
  showLayers: layerIds,
  glyphs: urlTemplate(GLYPHS_TEMPLATE),
  font,
  symbols: given(z.enum(SYMBOL_SETS)),
  boundaries: given(z.enum(BOUNDARY_STYLES)),
  topmarks: truth,
  lightText: truth,
  isolatedDangersInShallow: truth,
  textGroups,
  live: truth,
});

export type StyleQuery = z.infer<typeof styleQuerySchema>;

/** Parameters of the request override saved settings, which override defaults. */
export function styleOptions(query: StyleQuery, saved: Partial<StyleOptions> = {}): StyleOptions {
  const { styleId: _id, styleName: _name, ...asked } = query;
  const present = Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== undefined),
  );
  return { ...DEFAULT_OPTIONS, ...saved, ...present };
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
