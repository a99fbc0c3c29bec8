// GET /api/portal/v1/blocks; DELETE /api/portal/v1/blocks/{id}

import * as z from 'zod';
import {
  blockSchema,
  MAX_REPORTS_PER_PAGE,
  type ReportBlock,
} from '../../../shared/contract/moderation.ts';
import { listBlocks, unblock } from '../db/moderation-store.ts';
import { idParameter, jsonAnswer } from '../http/endpoint.ts';
import { ApiError } from '../runtime/errors.ts';
import { checked, limitParameter } from './page-query.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

const PATH = `${PORTAL_PATH}/blocks`;

const BLOCK: ReportBlock = {
  id: 7,
  accountId: 'acme',
  kind: 'user',
  name: 'sailor-7',
  createdAt: 1_764_547_200_000,
};
const blockIdSchema = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const PAGE = {
  limit: limitParameter(MAX_REPORTS_PER_PAGE),
  before: checked('`id` of the last block of the previous page', blockIdSchema),
} as const;

export const portalBlocks = [
  portalEndpoint({
    access: 'moderator',
    method: 'get',
    path: PATH,
    id: 'portalListBlocks',
    summary: 'Lists the people who may not report or vote, latest first.',
    description:
      'Moderators list the blocks of their account, administrators those of all accounts. For the next page, set `before` to the `id` of the last block.',
    query: PAGE,
    answers: { 200: jsonAnswer('A page of blocks', z.array(blockSchema), [BLOCK]) },
    handle: ({ env, sessionId, query }) => listBlocks(env, sessionId, query),
  }),
  portalEndpoint({
    access: 'moderator',
    method: 'delete',
    path: `${PATH}/{id}`,
    id: 'portalUnblock',
    summary: 'Lets a blocked person report and vote again.',
    description: 'The change takes effect with the next request of the person.',
    pathParameter: idParameter('`id` of the block', `${BLOCK.id}`),
    answers: {
      204: { description: 'Unblocked' },
      404: { description: 'The account has no block with this id', error: 'block_not_found' },
    },
    handle: async ({ env, sessionId, id }) => {
      const block = blockIdSchema.safeParse(id);
      if (!block.success) throw new ApiError('block_not_found');
      await unblock(env, sessionId, block.data);
    },
  }),
];
