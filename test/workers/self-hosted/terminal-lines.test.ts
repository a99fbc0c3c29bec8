import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { printFailures } from '../../../workers/host/serve/terminal-lines.ts';

const request = (status: number, path: string) =>
  JSON.stringify({ time: '2030-01-01T00:00:00Z', kind: 'request', method: 'GET', path, status });
const SUCCEEDED = [
  request(200, '/page/chart.js'),
  request(304, '/page/chart.css'),
  request(200, '/api/v2/tiles/enc-v2/0/0/0.mvt'),
];
const OTHERS = [
  request(404, '/none.js'),
  request(503, '/readyz'),
  JSON.stringify({ kind: 'fault', where: 'charts', message: 'x' }),
  'a warning of the runtime',
  '{broken',
];

describe('printFailures', () => {
  it('prints faults, refusals and warnings, but no request that succeeded', async () => {
    const [from, to] = [new PassThrough(), new PassThrough()];
    printFailures(from, to);
    from.end(`${[...SUCCEEDED, ...OTHERS].join('\n')}\n`);
    await new Promise((done) => from.once('close', done));
    expect((to.read() as Buffer).toString().trim().split('\n')).toEqual(OTHERS);
  });
});
