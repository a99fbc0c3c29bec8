// GET /status: how the service is, as a page for people.

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
  summary: 'How the service is, as a page for people.',
  description: 'What `/readyz` says, in words, with the age of the charts.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: { 200: { description: 'A page', contentType: 'text/html' } },
  handle: async (c) => {
    const headers = { ...pageHeaders('text'), 'cache-control': 'no-store' };
    return c.html(page(await linesOf(c)), 200, headers);
  },
};

interface Line {
  readonly name: string;
  readonly isGood: boolean;
  readonly text: string;
}

async function linesOf(c: AppContext): Promise<Line[]> {
  const database = await databaseState(c.env);
  const keys = await areTokenKeysSound(c.env);
  return [
    ...(await chartLines(c)),
    {
      name: 'Tokens',
      isGood: keys,
      text: keys ? 'Tokens are verified.' : 'Tokens cannot be verified; everything is refused.',
    },
    {
      name: 'Reports, soundings, saved styles',
      isGood: database !== 'down',
      text: {
        up: 'They are taken and given.',
        down: 'The database is away. Nothing of these is taken now; charts are served.',
        none: 'This service has none of these.',
      }[database],
    },
  ];
}

async function chartLines(c: AppContext): Promise<Line[]> {
  try {
    const nowMs = Date.now();
    const { buildId, cells, datasets } = await currentManifest(c.env, nowMs, c.get('cost'));
    const days = (ms: number) => Math.max(0, Math.floor((nowMs - ms) / DAY_MS));
    return [
      { name: 'Charts', isGood: true, text: `${cells.length} cells are served, build ${buildId}.` },
      ...datasets.map(({ shortDescription, dataSourcedAt }) => ({
        name: shortDescription,
        isGood: true,
        text: `Obtained ${days(dataSourcedAt)} days ago.`,
      })),
    ];
  } catch {
    return [{ name: 'Charts', isGood: false, text: 'Charts cannot be read right now.' }];
  }
}

function page(lines: readonly Line[]): string {
  const isGood = lines.every((line) => line.isGood);
  const rows = lines.map(
    (line) =>
      `<tr><td class="${line.isGood ? 'good' : 'bad'}">${line.isGood ? 'Good' : 'Away'}</td>` +
      `<th scope="row">${escaped(line.name)}</th><td>${escaped(line.text)}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Leadline: ${isGood ? 'all is well' : 'something is away'}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;
color:#16212b;background:#fff}table{border-collapse:collapse;width:100%}th,td{border-top:1px solid #d5dde3;
padding:.5rem;text-align:left;vertical-align:top;font-weight:400}th{font-weight:600}
.good{color:#0b6b3a}.bad{color:#a4161a;font-weight:700}</style>
<h1>${isGood ? 'All is well' : 'Something is away'}</h1><table>${rows.join('')}</table>
<p>Charts served here are <strong>not for navigation</strong>. As JSON: <a href="/readyz">readyz</a>.</p></html>`;
}
