// GET /status: the status page

import type { ServicePart } from '../../../shared/contract/system.ts';
import { currentManifest } from '../charts/catalog.ts';
import type { AppContext, Endpoint } from '../http/endpoint.ts';
import { escaped } from '../http/escape-html.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { areTokenKeysSound } from '../identity/token.ts';
import { databaseState } from './health.ts';

const DAY_MS = 86_400_000;

export const status: Endpoint = {
  method: 'get',
  path: '/status',
  id: 'getStatus',
  summary: 'Returns the status page.',
  description: 'The page shows the checks of `/readyz` and the age of the charts.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: { 200: { description: 'A page', contentType: 'text/html' } },
  handle: async (c) => {
    const headers = { ...pageHeaders('text'), 'cache-control': 'no-store' };
    return c.html(page(await partsOf(c)), 200, headers);
  },
};

/** The state of each part of the service. */
export async function partsOf(c: AppContext): Promise<ServicePart[]> {
  const database = await databaseState(c.env);
  const keys = await areTokenKeysSound(c.env);
  const { faults } = c.get('settings');
  return [
    ...(await chartLines(c)),
    {
      name: 'Tokens',
      isGood: keys,
      text: keys
        ? 'Tokens are verified.'
        : 'Tokens cannot be verified, so requests with a token are rejected. Check TOKEN_KEYS.',
    },
    {
      name: 'Reports, soundings, saved styles',
      isGood: database !== 'down',
      text: {
        up: 'The database is available.',
        down: 'The database is unavailable. These endpoints return 503; charts are not affected.',
        none: 'This service has no database, so these are not available.',
      }[database],
    },
    {
      name: 'Settings',
      isGood: faults.length === 0,
      text:
        faults.length === 0
          ? 'All settings are valid.'
          : `Invalid: ${faults.join(', ')}. The defaults are used.`,
    },
  ];
}

async function chartLines(c: AppContext): Promise<ServicePart[]> {
  try {
    const nowMs = Date.now();
    const { buildId, cells, datasets } = await currentManifest(c.env, nowMs, c.get('cost'));
    const age = (ms: number) => {
      const days = Math.max(0, Math.floor((nowMs - ms) / DAY_MS));
      return days === 1 ? '1 day' : `${days} days`;
    };
    return [
      { name: 'Charts', isGood: true, text: `${cells.length} cells, build ${buildId}.` },
      ...datasets.map(({ shortDescription, dataSourcedAt }) => ({
        name: shortDescription,
        isGood: true,
        text: `Downloaded ${age(dataSourcedAt)} ago.`,
      })),
    ];
  } catch {
    return [{ name: 'Charts', isGood: false, text: 'The charts are unavailable.' }];
  }
}

function page(lines: readonly ServicePart[]): string {
  const isGood = lines.every((line) => line.isGood);
  const rows = lines.map(
    (line) =>
      `<tr><td class="${line.isGood ? 'good' : 'bad'}">${line.isGood ? 'Operational' : 'Unavailable'}</td>` +
      `<th scope="row">${escaped(line.name)}</th><td>${escaped(line.text)}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Leadline: ${isGood ? 'operational' : 'partly unavailable'}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;
color:#16212b;background:#fff}table{border-collapse:collapse;width:100%}th,td{border-top:1px solid #d5dde3;
padding:.5rem;text-align:left;vertical-align:top;font-weight:400}th{font-weight:600}
.good{color:#0b6b3a}.bad{color:#a4161a;font-weight:700}</style>
<h1>${isGood ? 'All systems operational' : 'Some systems are unavailable'}</h1><table>${rows.join('')}</table>
<p>Charts served here are <strong>not for navigation</strong>. As JSON: <a href="/readyz">readyz</a>.</p></html>`;
}
