// POST /api/v1/enc_query

import { daysAt } from '../../../shared/chart/in-force.ts';
import {
  drawnZoom,
  encQueryAnswerSchema,
  encQuerySchema,
  presentAnswer,
  presentFeature,
  type RawAttributes,
  type Truncation,
} from '../../../shared/contract/enc-query.ts';
import { FLAG } from '../../../shared/contract/query.ts';
import { documentedSchema } from '../../../shared/contract/style-params.ts';
import { describeFeature } from '../../../shared/query/describe.ts';
import type { DrawnShape } from '../../../shared/query/drawn-shape.ts';
import { fitAnswer } from '../../../shared/query/fit-answer.ts';
import type { ReaderUnits } from '../../../shared/query/measures.ts';
import { sentencesOfAll } from '../../../shared/query/sentence.ts';
import { DEPTH_UNITS, STYLE_PARAMETERS } from '../../../shared/style/options.ts';
import { manifestFor } from '../charts/catalog.ts';
import { featuresNear, type NearFeature } from '../charts/query-store.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { queryOf, queryParameters } from '../http/query.ts';
import { readBody } from '../http/read-json.ts';

const MAX_BODY_BYTES = 4096;
const MAX_RESULTS = 500;

const PARAMETERS = {
  extras: {
    ...FLAG,
    description:
      'If true, each result has an additional field `extras` with its distance and a description of its attributes',
  },
  depthUnits: {
    description: 'Unit of depths, clearances and heights in `extras.sentence`',
    rule: `must be ${DEPTH_UNITS.join(', ')}`,
    schema: documentedSchema(STYLE_PARAMETERS.depthUnits),
    otherwise: STYLE_PARAMETERS.depthUnits.default,
    read: (text: string) => DEPTH_UNITS.find((one) => one === text),
  },
} as const;

export const encQuery: Endpoint = {
  method: 'post',
  path: '/api/v1/enc_query',
  id: 'queryFeatures',
  summary: 'Finds chart features within a radius, nearest first.',
  description:
    'The result contains the features of the charts that are shown at the zoom, including features that SCAMIN hides at this scale. `position` is `[latitude, longitude]`; in `geometry` and `bbox` the longitude comes first. Attributes have the values of the chart producer; `extras` adds descriptions.',
  tag: 'Features',
  access: { kind: 'token', scope: 'query' },
  parameters: queryParameters(PARAMETERS),
  body: {
    schema: encQuerySchema,
    description:
      'A position, a radius in metres (larger radii are reduced to 20 km) and the zoom of the chart (16 if absent)',
    example: { position: { longitude: -19.99, latitude: -30.01 }, radius: 500, zoom: 14 },
  },
  answers: {
    200: jsonAnswer(
      'At most 500 features; `truncation` is present if the result is incomplete',
      encQueryAnswerSchema,
    ),
    400: { description: 'A field is missing or invalid; `errors` lists it', error: 'bad_query' },
  },
  handle: async (c) => {
    const query = await readBody(c, encQuerySchema, MAX_BODY_BYTES);
    const { extras: withExtras, depthUnits: units } = queryOf(c, PARAMETERS);
    const { queryMaxRadiusMeters, queryDefaultZoom } = c.get('settings');
    const radiusMeters = Math.min(query.radius, queryMaxRadiusMeters);
    const cost = c.get('cost');
    const manifest = await manifestFor(c.env, c.get('caller')?.chartSet, Date.now(), cost);
    const { features, total } = await featuresNear(
      c.env,
      manifest,
      {
        ...query.position,
        radiusMeters,
        zoom: drawnZoom(query.zoom, queryDefaultZoom),
        limit: MAX_RESULTS,
        days: daysAt(Date.now()),
      },
      cost,
    );
    const fitted = fitAnswer(features.map(({ shape }) => shape));
    const sentences = withExtras ? sentencesOf(features, units) : [];
    const results = features.map((feature, i) => resultText(feature, fitted[i]!, sentences[i]));
    const simplified = fitted.filter(({ simplifiedBy }) => simplifiedBy !== undefined).length;
    const isCut = total > features.length || radiusMeters < query.radius || simplified > 0;
    const truncation: Truncation | undefined = isCut
      ? { found: total, returned: features.length, radius: radiusMeters, simplified }
      : undefined;
    return c.body(presentAnswer(results, truncation), 200, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
  },
};

/** @param sentence absent if the response has no extras */
function resultText(
  { facts, distanceMeters }: NearFeature,
  drawn: DrawnShape,
  sentence: string | undefined,
): string {
  const attributes = JSON.parse(facts.attributes) as RawAttributes;
  if (sentence === undefined) return presentFeature(facts, attributes, drawn, undefined);
  const { shape, simplifiedBy } = drawn;
  const extras = {
    distance: Math.round(distanceMeters * 100) / 100,
    sentence,
    ...describeFeature(facts.classCode, attributes),
    ...(shape.type === 'point' && shape.depth !== undefined ? { depth: shape.depth } : {}),
    ...(simplifiedBy === undefined ? {} : { simplifiedBy }),
  };
  return presentFeature(facts, attributes, drawn, JSON.stringify(extras));
}

function sentencesOf(features: readonly NearFeature[], units: ReaderUnits): string[] {
  return sentencesOfAll(
    features.map(({ facts, shape: { shape } }) => ({
      classCode: facts.classCode,
      raw: JSON.parse(facts.attributes) as RawAttributes,
      ...(shape.type === 'point' ? { depth: shape.depth, position: `${shape.x} ${shape.y}` } : {}),
    })),
    units,
  );
}
