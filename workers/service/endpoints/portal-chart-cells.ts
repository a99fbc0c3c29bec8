// GET /api/portal/v1/charts/cells

import type { ManifestCell } from '../../../shared/chart/manifest.ts';
import {
  type ChartCells,
  chartCellsSchema,
  MAX_LISTED_CELLS,
  MAX_LISTED_PROBLEMS,
  PERMIT_EXPIRED,
} from '../../../shared/contract/charts.ts';
import { manifestFor } from '../charts/catalog.ts';
import { jsonAnswer } from '../http/endpoint.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

const dashed = (day: string): string => day.replace(/^(.{4})(..)/, '$1-$2-');

/** Problems of a cell. Its permit may have ended after the build. @param today yyyymmdd */
export function problemsOn(today: string, { problems, s63 }: ManifestCell): string[] {
  const hasEnded = s63?.isSubscription === true && s63.expires < today;
  const notices = hasEnded ? [`SSE 25: ${PERMIT_EXPIRED}. It ended on ${dashed(s63.expires)}`] : [];
  const stored = hasEnded ? problems.filter(({ code }) => !/^sse-2[05]$/.test(code)) : problems;
  return [...notices, ...stored.map(({ message }) => message)].slice(0, MAX_LISTED_PROBLEMS);
}

export const portalChartCells = portalEndpoint({
  method: 'get',
  path: `${PORTAL_PATH}/charts/cells`,
  id: 'portalListCells',
  summary: 'Lists the cells of the charts that the account sees.',
  description: `Lists the account's own cells and the public cells by name, at most ${MAX_LISTED_CELLS}.`,
  access: 'member',
  answers: {
    200: jsonAnswer('The cells', chartCellsSchema, {
      buildId: '1f0c5a9b7d3e2f4a',
      hasOwn: false,
      total: 1,
      cells: [
        {
          name: 'XX5HARB1',
          edition: 2,
          update: 1,
          issueDate: '20260101',
          scaleDenominator: 10_000,
          bounds: [-20.05, -30.05, -19.95, -29.95],
          status: 'used',
          problems: [],
        },
      ],
    } satisfies ChartCells),
    503: { description: 'The charts cannot be read', error: 'charts_unavailable' },
  },
  handle: async ({ c, env, member: { account } }) => {
    const { buildId, set, cells } = await manifestFor(env, account, Date.now(), c.get('cost'));
    const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    const listed = cells.slice(0, MAX_LISTED_CELLS).map((cell) => ({
      name: cell.name,
      edition: cell.edition,
      update: cell.update,
      issueDate: cell.issueDate,
      scaleDenominator: cell.scaleDenominator,
      bounds: cell.bounds,
      status: cell.status,
      problems: problemsOn(today, cell),
    }));
    const answer = { buildId, hasOwn: set !== undefined, total: cells.length, cells: listed };
    return answer satisfies ChartCells;
  },
});
