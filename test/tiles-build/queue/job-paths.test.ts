import { expect, test } from 'vitest';
import type { SliceJob } from '../../../tiles-build/pipeline/jobs.ts';
import { type PathMap, type QueuedJob, withPaths } from '../../../tiles-build/queue/job-paths.ts';

const FILE = { name: 'US5AA11M.000', path: '/in/US5AA11M.000' };
const LOCATION = {
  name: 'US5AA11M',
  base: FILE,
  updates: [{ name: 'US5AA11M.001', path: '/in/all.zip', entry: 'ENC_ROOT/US5AA11M.001' }],
};
const PLAN = { pack: '/in/plans/p.pack', number: 3, digest: 'd' };
const slice = (source: SliceJob['source']): SliceJob => ({
  kind: 'slice',
  source,
  plan: PLAN,
  packs: { 'enc-v2': '/out/packs/a.pack', 'enc-route-v1': '/out/packs/b.pack' },
});
const background = (folder: string | undefined): SliceJob =>
  slice({
    kind: 'background',
    background: { name: 'land', digest: 'e', folder },
    coasts: '/both/coasts/c.pack',
  });

const JOBS: Readonly<Record<string, readonly [QueuedJob, readonly string[]]>> = {
  'a cell scan': [
    { kind: 'scan', location: LOCATION, cacheFolder: '/own', code: 'c' },
    ['read /in/US5AA11M.000', 'read /in/all.zip', 'own cache'],
  ],
  'a cell slice': [
    slice({ kind: 'cell', location: LOCATION, digest: 'f' }),
    [
      'read /in/US5AA11M.000',
      'read /in/all.zip',
      'read /in/plans/p.pack',
      'write /out/packs/a.pack',
      'write /out/packs/b.pack',
    ],
  ],
  'a background folder': [
    background('/in/background'),
    [
      'folder /in/background',
      'keep /both/coasts/c.pack',
      'read /in/plans/p.pack',
      'write /out/packs/a.pack',
      'write /out/packs/b.pack',
    ],
  ],
  'the built-in background': [
    background(undefined),
    [
      'keep /both/coasts/c.pack',
      'read /in/plans/p.pack',
      'write /out/packs/a.pack',
      'write /out/packs/b.pack',
    ],
  ],
  'a merge': [
    {
      kind: 'merge',
      tileset: 'enc-v2',
      part: {
        packs: ['/in/packs/a.pack', '/in/packs/b.pack'],
        range: { from: 1, to: 5 },
        out: '/out/parts/d.pack',
        scratch: '/own/scratch',
      },
    },
    ['read /in/packs/a.pack', 'read /in/packs/b.pack', 'own scratch', 'write /out/parts/d.pack'],
  ],
};

test.each(Object.entries(JOBS))(
  'withPaths replaces every path of %s and nothing else',
  (_, [job, expected]) => {
    const asked: string[] = [];
    const renamed = (how: string) => (path: string) => {
      asked.push(`${how} ${path}`);
      return `key(${path})`;
    };
    const map: PathMap = {
      read: renamed('read'),
      write: renamed('write'),
      readOrWrite: renamed('keep'),
      folder: renamed('folder'),
      own: (kind) => {
        asked.push(`own ${kind}`);
        return `key(/own)`;
      },
    };
    const other = withPaths(job, map);
    expect(asked.sort()).toEqual([...expected].sort());
    expect(JSON.stringify(other)).not.toMatch(/"\/(in|out|both|own)/);
    const back = (path: string) => path.replace(/^key\((.*)\)$/, '$1');
    const own = (kind: string) =>
      job.kind === 'merge' && kind === 'scratch' ? '/own/scratch' : '/own';
    expect(
      withPaths(other, { read: back, write: back, readOrWrite: back, folder: back, own }),
    ).toEqual(job);
  },
);
