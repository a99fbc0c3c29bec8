// GET /api/v1/styles/base.json

import { examine } from '../../../shared/contract/examine.ts';
import { faultsOf } from '../../../shared/contract/faults.ts';
import { styleSchema } from '../../../shared/contract/map-documents.ts';
import { type SavedStyle, savedOptions } from '../../../shared/contract/saved-style.ts';
import {
  documentedSchema,
  type StyleQuery,
  styleOptions,
  styleQuerySchema,
} from '../../../shared/contract/style-params.ts';
import { crowdView } from '../../../shared/style/layers/crowd.ts';
import { STYLE_TEXTS } from '../../../shared/style/option-texts.ts';
import { STYLE_PARAMETERS, type StyleParameterName } from '../../../shared/style/options.ts';
import { manifestFor } from '../charts/catalog.ts';
import { crowdState } from '../charts/crowd-catalog.ts';
import {
  type AppContext,
  type Endpoint,
  jsonAnswer,
  type Parameter,
  queryParameter,
} from '../http/endpoint.ts';
import { styleAssets } from '../http/style-assets.ts';
import { ApiError, invalidInput } from '../runtime/errors.ts';
import { withOwnFonts } from '../styles/own-fonts.ts';
import { knownStyle } from '../styles/saved-styles.ts';
import { sendStyle } from '../styles/send-style.ts';
import { baseStyle } from '../styles/style-documents.ts';

const NAMES = Object.keys(STYLE_PARAMETERS) as StyleParameterName[];

const parameters: readonly Parameter[] = NAMES.map((name) =>
  queryParameter(name, STYLE_TEXTS[name].description, documentedSchema(STYLE_PARAMETERS[name])),
);

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
    200: jsonAnswer('A style document', styleSchema),
    304: { description: 'Not modified' },
    400: { description: 'A parameter is invalid; `errors` lists it', error: 'bad_style_parameter' },
    404: { description: 'The account has no such saved style', error: 'style_not_found' },
  },
  handle: async (c) => {
    const settings = c.get('settings');
    const query = readQuery(c);
    const saved = await savedStyle(c, query);
    const manifest = await manifestFor(c.env, c.get('caller')?.chartSet, Date.now(), c.get('cost'));
    const { origin } = new URL(c.req.url);
    const assets = await styleAssets(c.env);
    const options = styleOptions(query, saved === undefined ? {} : savedOptions(saved));
    const checked = withOwnFonts(options, assets, origin);
    if ('fault' in checked && query.font !== undefined)
      throw invalidInput('bad_style_parameter', [checked.fault]);
    // A font of a saved style may have been removed since.
    const { font: _removed, ...others } = options;
    const choices = 'fault' in checked ? others : checked.choices;
    const request = {
      origin,
      manifest,
      assets,
      options: choices,
      imagery: settings.satelliteTileUrl,
      hasReports: settings.reportsListing,
      crowd:
        crowdView(choices) === undefined
          ? undefined
          : (await crowdState(c.env, Date.now(), c.get('cost'))).manifest,
    };
    const document = await baseStyle(request, c.get('caller')?.queryToken);
    return sendStyle(c, document, saved === undefined ? 'plain' : 'saved');
  },
};

/**
 * The saved style of a query; `styleId` has precedence.
 * @throws ApiError 404 if it does not exist
 */
async function savedStyle(
  c: AppContext,
  { styleId, styleName }: StyleQuery,
): Promise<SavedStyle | undefined> {
  const { account } = c.get('caller') ?? {};
  if ((styleId ?? styleName) === undefined || account === undefined) return undefined;
  const named =
    styleId === undefined ? { name: styleName?.normalize('NFC').trim() } : { id: styleId };
  const found = await knownStyle(c.env, account, named, c.get('cost').defer);
  if (found === undefined) throw new ApiError('style_not_found');
  return found;
}

/** @throws ApiError 400 with every invalid parameter */
function readQuery(c: AppContext): StyleQuery {
  const queries = c.req.queries();
  // An empty value counts as absent.
  const given = NAMES.map(
    (name) => [name, queries[name]?.filter((value) => value !== '') ?? []] as const,
  );
  const twice = given.filter(([, values]) => new Set(values).size > 1).map(([name]) => name);
  const values = Object.fromEntries(given.map(([name, [value]]) => [name, value]));
  const parsed = examine(styleQuerySchema, values);
  const faults = [
    ...twice.map((path) => ({ path, message: 'must not be repeated with different values' })),
    ...(parsed.success ? [] : faultsOf(parsed.error)),
  ];
  if (parsed.success && faults.length === 0) return parsed.data;
  throw invalidInput('bad_style_parameter', faults);
}
