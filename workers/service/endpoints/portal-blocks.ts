// GET /api/portal/v1/blocks; DELETE /api/portal/v1/blocks/{id}

import * as z from 'zod';
import {
  blockSchema,
  MAX_REPORTS_PER_PAGE,
  type ReportBlock,
} from '../../../shared/contract/moderation.ts';
import { listBlocks, unblock } from '../db/moderation-store.ts';
import { type Endpoint, jsonAnswer, pathParameter, queryParameter } from '../http/endpoint.ts';
import { ApiError } from '../runtime/errors.ts';
import { badQuery, DEFAULT_PAGE, limitParameter, valuesOfQuery } from './page-query.ts';
import { PORTAL_PATH, portalMember } from './portal-auth.ts';
import { NO_STORE } from './portal-tokens.ts';

const PATH = `${PORTAL_PATH}/blocks`;

const BLOCK: ReportBlock = {
  id: 7,
  accountId: 'acme',
  kind: 'user',
  name: 'sailor-7',
  createdAt: 1_764_547_200_000,
};
const blockIdSchema = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const PAGE = [
  limitParameter(MAX_REPORTS_PER_PAGE),
  queryParameter('before', '`id` of the last block of the previous page', blockIdSchema),
] as const;

const common = { tag: 'Portal', access: { kind: 'session', role: 'moderator' } } as const;

export const portalBlocks: readonly Endpoint[] = [
  {
    ...common,
    method: 'get',
    path: PATH,
    id: 'portalListBlocks',
    isStrict: true,
    summary: 'Lists the people who may not report or vote, latest first.',
    description:
      'Moderators list the blocks of their account, administrators those of all accounts. For the next page, set `before` to the `id` of the last block.',
    parameters: PAGE,
    answers: {
      200: jsonAnswer('A page of blocks', z.array(blockSchema), [BLOCK]),
      400: badQuery,
    },
    handle: async (c) => {
      const { limit, before } = valuesOfQuery(c, PAGE);
      const page = { before, limit: Number(limit ?? DEFAULT_PAGE) };
      return c.json(await listBlocks(c.env, portalMember(c).sessionId, page), 200, NO_STORE);
    },
  },
  {
    ...common,
    method: 'delete',
    path: `${PATH}/{id}`,
    id: 'portalUnblock',
    summary: 'Lets a blocked person report and vote again.',
    description: 'The change takes effect with the next request of the person.',
    parameters: [
      {
        name: 'id',
        in: 'path',
        description: '`id` of the block',
        schema: z.string(),
        required: true,
        example: `${BLOCK.id}`,
      },
    ],
    answers: {
      204: { description: 'Unblocked' },
      404: { description: 'The account has no block with this id', error: 'block_not_found' },
    },
    handle: async (c) => {
      const id = blockIdSchema.safeParse(pathParameter(c, 'id'));
      if (!id.success) throw new ApiError('block_not_found');
      await unblock(c.env, portalMember(c).sessionId, id.data);
      return c.body(null, 204, NO_STORE);
    },
  },
];
