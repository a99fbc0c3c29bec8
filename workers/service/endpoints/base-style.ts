// GET /api/v1/styles/base.json

import * as z from 'zod';
import { examine } from '../../../shared/contract/examine.ts';
import { faultsOf, sentenceOf } from '../../../shared/contract/faults.ts';
import { styleSchema } from '../../../shared/contract/map-documents.ts';
import type { Fault } from '../../../shared/contract/plain-json.ts';
import { type SavedStyle, savedOptions } from '../../../shared/contract/saved-style.ts';
import {
  type StyleQuery,
  styleOptions,
  styleQuerySchema,
} from '../../../shared/contract/style-params.ts';
import {
  BOUNDARY_STYLES,
  DEFAULT_OPTIONS,
  DEPTH_LIMIT_RANGE,
  DEPTH_UNITS,
  MARITIME_BOUNDARIES,
  type StyleOptions,
  SYMBOL_SETS,
  TEXT_GROUPS,
  THEMES,
} from '../../../shared/style/options.ts';
import { currentManifest } from '../charts/catalog.ts';
import type { AppContext, Endpoint, Parameter } from '../http/endpoint.ts';
import { type ApiError, badRequest, styleNotFound } from '../runtime/errors.ts';
import { withOwnFonts } from '../styles/own-fonts.ts';
import { knownStyle } from '../styles/saved-styles.ts';
import { sendStyle } from '../styles/send-style.ts';
import { styleAssets } from '../styles/style-assets.ts';
import { baseStyle } from '../styles/style-documents.ts';

/** What each parameter does, in the contract's words made short. */
const MEANINGS: Readonly<Record<keyof typeof styleQuerySchema.shape, string>> = {
  styleId: 'Saved style whose colours and settings override the defaults',
  styleName: 'The same, by name; the id wins',
  theme:
    'Colour palette: day, dusk or night; night-bright for screens that show no dark tones, yacht for a calmer day',
  depthLimit: 'Safety contour in metres, whatever the units are; shallower water is shaded',
  depthUnits: 'Units of depths: meters, feet or fathoms',
  roundOffSoundings: 'Whole numbers, never rounded up across the safety contour',
  showLightSectors: 'Arcs and legs of sector lights',
  showEncBoundaries: 'Outlines of the cells',
  showMaritimeBoundaries: 'Maritime zones: false, lines or full',
  showPlaceNames: 'Names of land, towns and landmarks',
  showOverscale: 'Pattern where the chart is shown far beyond its scale',
  showNoData: 'Pattern where there is no chart; over imagery only where it is asked for',
  showUserReports: 'Markers of user reports',
  showSatellite: 'Imagery below the chart',
  maskLandAreas: 'With imagery, no flat land, lakes and ice outside charted areas',
  satelliteTileUrl:
    'Template of the imagery, with {z}, {x} and {y}, or {quadkey}, or {bbox-epsg-3857}',
  hideLayers: 'Style layer ids to hide',
  showLayers: 'Style layer ids to show, and no others; wins over other parameters',
  glyphs: 'Template of the glyphs, with {fontstack} and {range}',
  font: 'Font of soundings and other texts, or several with commas: the first that has a letter',
  symbols: 'Buoys and beacons: simplified, or with the shapes and colours of paper charts',
  boundaries: 'Limits of areas: plain, or symbolized with signs along them',
  topmarks: 'Topmarks; where it is not said, with paper symbols alone',
  lightText: 'Characters of lights',
  isolatedDangersInShallow: 'Dangers marked as isolated in shallow water too',
  textGroups: `Texts to show, with commas: ${TEXT_GROUPS.join(', ')}; or none. Soundings and depths are in no group`,
  live: 'Safety depth, units and toggles are global state of the map, which an app changes without a request',
};

const parameters: readonly Parameter[] = Object.entries(MEANINGS).map(([name, description]) => ({
  name,
  in: 'query',
  description,
  schema: schemaOf(name),
}));

/** As a reader of the reference should see a parameter: its choices or range, and its default. */
function schemaOf(name: string): z.ZodType {
  const assumed: unknown = DEFAULT_OPTIONS[name as keyof StyleOptions];
  switch (name) {
    case 'theme':
      return z.enum(THEMES).default(DEFAULT_OPTIONS.theme);
    case 'symbols':
      return z.enum(SYMBOL_SETS).default(DEFAULT_OPTIONS.symbols);
    case 'boundaries':
      return z.enum(BOUNDARY_STYLES).default(DEFAULT_OPTIONS.boundaries);
    case 'topmarks':
      return z.boolean();
    case 'depthUnits':
      return z.enum(DEPTH_UNITS).default(DEFAULT_OPTIONS.depthUnits);
    case 'showMaritimeBoundaries':
      return z.enum(MARITIME_BOUNDARIES).default(DEFAULT_OPTIONS.showMaritimeBoundaries);
    case 'depthLimit':
      return z
        .number()
        .min(DEPTH_LIMIT_RANGE[0])
        .max(DEPTH_LIMIT_RANGE[1])
        .default(DEFAULT_OPTIONS.depthLimit);
  }
  return typeof assumed === 'boolean' ? z.boolean().default(assumed) : z.string();
}

export const baseStyleDocument: Endpoint = {
  method: 'get',
  path: '/api/v1/styles/base.json',
  id: 'getBaseStyle',
  summary: 'Style document for vector map clients, as a mariner wants the chart.',
  description:
    'A document of the MapLibre style specification, version 8. Map clients that cannot send headers take the token in the query; what the document names is addressed with it.',
  tag: 'Styles',
  access: { kind: 'token', scope: 'styles' },
  parameters,
  answers: {
    200: { description: 'A style document', contentType: 'application/json', schema: styleSchema },
    304: { description: 'Not changed' },
    400: { description: 'A parameter is not understood; it is named' },
    404: { description: 'There is no such saved style' },
  },
  handle: async (c) => {
    const settings = c.get('settings');
    const query = readQuery(c);
    const saved = await savedStyle(c, query);
    const manifest = await currentManifest(c.env, Date.now(), c.get('cost'));
    const { origin } = new URL(c.req.url);
    const assets = await styleAssets(c.env);
    const asked = styleOptions(query, saved === undefined ? {} : savedOptions(saved));
    const checked = withOwnFonts(asked, assets, origin);
    if ('fault' in checked) throw notUnderstood([checked.fault]);
    const request = {
      origin,
      manifest,
      assets,
      options: checked.choices,
      imagery: settings.satelliteTileUrl,
      hasReports: settings.reportsListing,
    };
    const document = await baseStyle(request, c.get('caller')?.queryToken);
    return sendStyle(c, document, saved === undefined ? 'plain' : 'saved');
  },
};

/** The saved style that a query names; the id wins. @throws ApiError 404 where there is none */
async function savedStyle(
  c: AppContext,
  { styleId, styleName }: StyleQuery,
): Promise<SavedStyle | undefined> {
  const { account } = c.get('caller') ?? {};
  if ((styleId ?? styleName) === undefined || account === undefined) return undefined;
  const named =
    styleId === undefined ? { name: styleName?.normalize('NFC').trim() } : { id: styleId };
  const found = await knownStyle(c.env, account, named, c.get('cost').defer);
  if (found === undefined) throw styleNotFound();
  return found;
}

/** @throws ApiError 400 that names every parameter at fault */
function readQuery(c: AppContext): StyleQuery {
  const given = c.req.queries();
  const names = Object.keys(MEANINGS);
  const twice = names.filter((name) => new Set(given[name] ?? []).size > 1);
  const values = Object.fromEntries(names.map((name) => [name, given[name]?.[0]]));
  const parsed = examine(styleQuerySchema, values);
  const faults = [
    ...twice.map((path) => ({ path, message: 'is given twice with different values' })),
    ...(parsed.success ? [] : faultsOf(parsed.error)),
  ];
  if (parsed.success && faults.length === 0) return parsed.data;
  throw notUnderstood(faults);
}

/** @param faults of parameters, by name; that of a font names the fonts there are */
function notUnderstood(faults: readonly Fault[]): ApiError {
  return badRequest('bad_style_parameter', sentenceOf(faults), faults);
}
