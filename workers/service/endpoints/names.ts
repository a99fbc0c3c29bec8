// GET /api/v1/names

import * as z from 'zod';
import {
  NAMES_PARAMETERS,
  namesAnswer,
  namesAnswerSchema,
  readNamesQuery,
} from '../../../shared/contract/names.ts';
import { manifestFor } from '../charts/catalog.ts';
import { findNames } from '../charts/name-store.ts';
import { type Endpoint, jsonAnswer, queryParameter } from '../http/endpoint.ts';
import { invalidInput } from './report-requests.ts';

export const names: Endpoint = {
  method: 'get',
  path: '/api/v1/names',
  id: 'findNames',
  isStrict: true,
  summary: 'Finds chart objects by the beginnings of the words of their names.',
  description:
    'Case, accents and punctuation are ignored. Each object appears once, with a position and a zoom at which the chart shows it. Exact matches come first, then names that begin with the query, then other matches. Within each group, places come before aids to navigation. Objects are then sorted by their distance from `near`. If `near` is absent, objects of smaller-scale charts come first.',
  tag: 'Features',
  access: { kind: 'token', scope: 'query' },
  parameters: [
    queryParameter('q', NAMES_PARAMETERS.q, z.string().min(1).max(100), {
      required: true,
      example: 'wick',
    }),
    queryParameter('near', NAMES_PARAMETERS.near, z.string(), { example: '-20,-30' }),
    queryParameter('limit', NAMES_PARAMETERS.limit, z.number().int().min(1).max(50)),
  ],
  answers: {
    200: jsonAnswer(
      'If `isComplete` is false, there are more matches: use a longer query',
      namesAnswerSchema,
    ),
    400: {
      description: 'A parameter is missing or invalid; `errors` lists it',
      error: 'bad_query',
    },
  },
  handle: async (c) => {
    const query = readNamesQuery((name) => c.req.queries(name) ?? []);
    if ('faults' in query) throw invalidInput(query.faults, 'bad_query');
    const cost = c.get('cost');
    const manifest = await manifestFor(c.env, c.get('caller')?.chartSet, Date.now(), cost);
    const found = await findNames(c.env, manifest, query, cost);
    return c.json(namesAnswer(found.names, found.isComplete), 200, {
      'cache-control': 'private, max-age=60',
    });
  },
};
