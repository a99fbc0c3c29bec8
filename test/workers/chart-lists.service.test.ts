// Lists of uploads and jobs: one upload can have 20,000 cells, and one job 1,000 messages.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChartJobList, ChartUploadList } from '../../shared/contract/charts.ts';
import { type PortalService, startPortal } from '../support/portal-service.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

test('a list of uploads has their number, the first cells and the last messages of each', async () => {
  const cell = { outcome: 'cancelled', edition: 1, update: 0, problems: [] };
  const cells = Array.from({ length: 120 }, (_, i) => ({ name: `ZZ5A${1000 + i}`, ...cell }));
  const { query } = portal.crowd.database;
  await query(
    `INSERT INTO chart_upload (id, account_id, is_public, actor, filename, state, cells)
     SELECT gen_random_uuid(), 'rival', false, 't', 'a', 'succeeded', $1 FROM generate_series(1, 2)`,
    [JSON.stringify(cells)],
  );
  const line = { timestamp: '2026-06-01T12:00:05.000Z', type: 'info' };
  const logs = Array.from({ length: 120 }, (_, i) => ({ ...line, message: `Message ${i}` }));
  await query(
    `INSERT INTO chart_job (id, account_id, is_public, kind, upload_id, state, logs)
     SELECT gen_random_uuid(), 'rival', false, 'upload', id, 'succeeded', $1 FROM chart_upload WHERE account_id = 'rival'`,
    [JSON.stringify(logs)],
  );
  const headers = await portal.sessionOf('rival');
  const get = async (path: string) => (await portal.send('GET', path, { headers })).json;
  const read = (path: string) => get(`/charts/uploads${path}`);
  const { uploads, pagination } = (await read('?limit=1')) as ChartUploadList;
  expect(pagination.total).toBe(2);
  expect(uploads).toMatchObject([{ totalCharts: 120, expiredCharts: 120 }]);
  expect(uploads[0]!.cells).toEqual(cells.slice(0, 100));
  expect(uploads[0]!.logs).toEqual(logs.slice(-100));
  expect(await read('?offset=9')).toMatchObject({ uploads: [], pagination: { total: 2 } });
  expect(await read(`/${uploads[0]!.id}`)).toMatchObject({
    upload: { totalCharts: 120, cells, logs },
  });
  const { jobs } = (await get('/jobs?limit=1')) as ChartJobList;
  expect(jobs[0]!.logs).toEqual(logs.slice(-100));
  expect(await get(`/jobs/${jobs[0]!.id}`)).toMatchObject({ logs });

  // A service of an earlier version counts the cells itself.
  const { rows } = await query(
    `SELECT jsonb_array_length(one -> 'cells') AS cells FROM portal_session AS session
     JOIN portal_user AS member ON member.id = user_id AND account_id = 'rival',
     charts_uploads(jsonb_build_object('session', session.id), NULL, 1, 0) AS one LIMIT 1`,
  );
  expect(rows).toEqual([{ cells: 120 }]);

  // Nothing is counted for an upload that the page skips.
  await query(
    `INSERT INTO chart_upload (id, account_id, is_public, actor, filename, state, cells)
     VALUES (gen_random_uuid(), 'rival', false, 't', 'newest', 'succeeded', '{}')`,
  );
  expect(await read('?limit=1&offset=1')).toMatchObject({ uploads: [{ filename: 'a' }] });
});
