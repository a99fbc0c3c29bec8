// GET /api/v1/names

import {
  NAMES_PARAMETERS,
  namesAnswer,
  namesAnswerSchema,
} from '../../../shared/contract/names.ts';
import { manifestFor } from '../charts/catalog.ts';
import { findNames } from '../charts/name-store.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { BAD_QUERY, queryOf, queryParameters } from '../http/query.ts';

export const names: Endpoint = {
  method: 'get',
  path: '/api/v1/names',
  id: 'findNames',
  summary: 'Finds chart objects by the beginnings of the words of their names.',
  description:
    'Case, accents and punctuation are ignored. Each object appears once, with a position and a zoom at which the chart shows it. Exact matches come first, then names that begin with the query, then other matches. Within each group, matches of whole words come first, then places before aids to navigation. Objects are then sorted by their distance from `near`. If `near` is absent, objects of smaller-scale charts come first.',
  tag: 'Features',
  access: { kind: 'token', scope: 'query' },
  parameters: queryParameters(NAMES_PARAMETERS),
  answers: {
    200: jsonAnswer(
      'If `isComplete` is false, there are more matches: use a longer query',
      namesAnswerSchema,
    ),
    400: BAD_QUERY,
  },
  handle: async (c) => {
    const query = queryOf(c, NAMES_PARAMETERS);
    const cost = c.get('cost');
    const manifest = await manifestFor(c.env, c.get('caller')?.chartSet, Date.now(), cost);
    const found = await findNames(c.env, manifest, query, cost);
    return c.json(namesAnswer(found.names, found.isComplete), 200, {
      'cache-control': 'private, max-age=60',
      vary: 'Authorization',
    });
  },
};
