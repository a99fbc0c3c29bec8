// POST /api/v1/enc_query

import * as z from 'zod';
import { daysAt } from '../../../shared/chart/in-force.ts';
import {
  drawnZoom,
  type EncQuery,
  encQueryAnswerSchema,
  encQuerySchema,
  presentAnswer,
  presentFeature,
  type RawAttributes,
  type Truncation,
} from '../../../shared/contract/enc-query.ts';
import { examine } from '../../../shared/contract/examine.ts';
import { faultsOf, sentenceOf } from '../../../shared/contract/faults.ts';
import { describeFeature } from '../../../shared/query/describe.ts';
import type { DrawnShape } from '../../../shared/query/drawn-shape.ts';
import { fitAnswer } from '../../../shared/query/fit-answer.ts';
import { currentManifest } from '../charts/catalog.ts';
import { featuresNear, type NearFeature } from '../charts/query-store.ts';
import type { AppContext, Endpoint } from '../http/endpoint.ts';
import { readJsonObject } from '../http/read-json.ts';
import { badRequest } from '../runtime/errors.ts';

const MAX_BODY_BYTES = 4096;
const MAX_RESULTS = 500;

export const encQuery: Endpoint = {
  method: 'post',
  path: '/api/v1/enc_query',
  id: 'queryFeatures',
  summary: 'Chart features within a radius, nearest first, as the chart shows them at the zoom.',
  description:
    '`position` is `[latitude, longitude]`; `geometry` and `bbox` have the longitude first. Attributes are as the producer wrote them; `extras` says them in words.',
  tag: 'Features',
  access: { kind: 'token', scope: 'query' },
  parameters: [
    {
      name: 'extras',
      in: 'query',
      description:
        'true: every result has `extras` beside the fields of the contract: its distance, and its attributes in words',
      schema: z.enum(['true', 'false']),
    },
  ],
  body: {
    schema: encQuerySchema,
    description:
      'A position, a radius in metres (at most 20 km are searched), and the zoom the chart is shown at (16 where absent)',
    example: { position: { longitude: -19.99, latitude: -30.01 }, radius: 500, zoom: 14 },
  },
  answers: {
    200: {
      description: 'At most 500 features; `truncation` tells where that is not all of them',
      contentType: 'application/json',
      schema: encQueryAnswerSchema,
    },
    400: { description: 'A field is missing or wrong; it is named' },
  },
  handle: async (c) => {
    const query = await readQuery(c);
    const withExtras = readFlag(c, 'extras');
    const { queryMaxRadiusMeters, queryDefaultZoom } = c.get('settings');
    const radiusMeters = Math.min(query.radius, queryMaxRadiusMeters);
    const cost = c.get('cost');
    const manifest = await currentManifest(c.env, Date.now(), cost);
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
    const results = features.map((feature, i) => resultText(feature, fitted[i]!, withExtras));
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

function resultText(
  { facts, distanceMeters }: NearFeature,
  drawn: DrawnShape,
  withExtras: boolean,
): string {
  const attributes = JSON.parse(facts.attributes) as RawAttributes;
  if (!withExtras) return presentFeature(facts, attributes, drawn, undefined);
  const { shape, simplifiedBy } = drawn;
  const extras = {
    distance: Math.round(distanceMeters * 100) / 100,
    ...describeFeature(facts.classCode, attributes),
    ...(shape.type === 'point' && shape.depth !== undefined ? { depth: shape.depth } : {}),
    ...(simplifiedBy === undefined ? {} : { simplifiedBy }),
  };
  return presentFeature(facts, attributes, drawn, JSON.stringify(extras));
}

/** @throws ApiError 400 that names every field at fault */
async function readQuery(c: AppContext): Promise<EncQuery> {
  const parsed = examine(encQuerySchema, await readJsonObject(c, MAX_BODY_BYTES));
  if (parsed.success) return parsed.data;
  const faults = faultsOf(parsed.error);
  throw badRequest('bad_query', sentenceOf(faults), faults);
}

/** @throws ApiError 400 for anything but true, false and their digits */
function readFlag(c: AppContext, name: string): boolean {
  const value = c.req.query(name) ?? '';
  if (/^(true|1)$/.test(value)) return true;
  if (/^(false|0)?$/.test(value)) return false;
  throw badRequest('bad_query', `${name} must be true or false.`, [
    { path: name, message: 'must be true or false' },
  ]);
}
