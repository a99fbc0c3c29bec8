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

/** Descriptions of the parameters. */
const MEANINGS: Readonly<Record<keyof typeof styleQuerySchema.shape, string>> = {
  styleId: 'Id of a saved style, whose colours and settings override the defaults',
  styleName: 'Name of a saved style; ignored if `styleId` is present',
  theme:
    'Colour palette: day, dusk or night; night-bright for screens that cannot display dark tones; yacht for softer day colours',
  depthLimit:
    'Safety contour in metres, independent of `depthUnits`; shallower water is highlighted',
  depthUnits: 'Unit of depths: meters, feet or fathoms',
  roundOffSoundings:
    'Show soundings as integers; they are never rounded up across the safety contour',
  showLightSectors: 'Show the arcs and legs of sector lights',
  showEncBoundaries: 'Show the outlines of chart cells',
  showMaritimeBoundaries: 'Show maritime zones: false, lines or full',
  showPlaceNames: 'Show names of land areas, towns and landmarks',
  showOverscale: 'Show a pattern where a chart is enlarged far beyond its scale',
  showNoData:
    'Show a pattern where there is no chart; with imagery, only if this parameter is set explicitly',
  showUserReports: 'Show markers of user reports',
  showSatellite: 'Show imagery below the chart',
  maskLandAreas: 'With imagery, hide plain land, lakes and ice outside charted areas',
  satelliteTileUrl:
    'URL template of the imagery, with {z}, {x} and {y}, or {quadkey}, or {bbox-epsg-3857}',
  hideLayers: 'Ids of style layers to hide',
  showLayers: 'Ids of the only style layers to show; overrides other parameters',
  glyphs: 'URL template of the glyphs, with {fontstack} and {range}',
  font: 'Font of all texts, or several fonts separated by commas; each character uses the first font that contains it',
  symbols: 'Symbols of buoys and beacons: simplified, or with the shapes of paper charts',
  boundaries: 'Boundaries of areas: plain lines, or symbolized',
  topmarks: 'Show topmarks; by default only with paper symbols',
  lightText: 'Show the characteristics of lights',
  isolatedDangersInShallow: 'Mark isolated dangers in water shallower than the safety contour too',
  textGroups: `Groups of texts to show, separated by commas: ${TEXT_GROUPS.join(', ')}; or none. Soundings and depths belong to no group`,
  live: 'Make safety depth, units and toggles global state of the map, so that an app can change them without a new request',
};

const parameters: readonly Parameter[] = Object.entries(MEANINGS).map(([name, description]) => ({
  name,
  in: 'query',
  description,
  schema: schemaOf(name),
}));

/** The schema of a parameter for the reference: its values or range, and its default. */
function schemaOf(name: string): z.ZodType {
  const usual: unknown = DEFAULT_OPTIONS[name as keyof StyleOptions];
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
  return typeof usual === 'boolean' ? z.boolean().default(usual) : z.string();
}

export const baseStyleDocument: Endpoint = {
  method: 'get',
  path: '/api/v1/styles/base.json',
  id: 'getBaseStyle',
  summary: 'Returns the style document for the vector tiles.',
  description:
    'The document follows version 8 of the MapLibre style specification. If the token is in the query, the tile URLs in the document contain it, for map clients that cannot send headers.',
  tag: 'Styles',
  access: { kind: 'token', scope: 'styles' },
  parameters,
  answers: {
    200: { description: 'A style document', contentType: 'application/json', schema: styleSchema },
    304: { description: 'Not modified' },
    400: { description: 'A parameter is invalid; `errors` lists it' },
    404: { description: 'The account has no such saved style' },
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
    if ('fault' in checked) throw badStyleParameter([checked.fault]);
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

/** The saved style of a query; `styleId` has precedence. @throws ApiError 404 if it does not exist */
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

/** @throws ApiError 400 with every invalid parameter */
function readQuery(c: AppContext): StyleQuery {
  const given = c.req.queries();
  const names = Object.keys(MEANINGS);
  const twice = names.filter((name) => new Set(given[name] ?? []).size > 1);
  const values = Object.fromEntries(names.map((name) => [name, given[name]?.[0]]));
  const parsed = examine(styleQuerySchema, values);
  const faults = [
    ...twice.map((path) => ({ path, message: 'must not be repeated with different values' })),
    ...(parsed.success ? [] : faultsOf(parsed.error)),
  ];
  if (parsed.success && faults.length === 0) return parsed.data;
  throw badStyleParameter(faults);
}

function badStyleParameter(faults: readonly Fault[]): ApiError {
  return badRequest('bad_style_parameter', sentenceOf(faults), faults);
}
