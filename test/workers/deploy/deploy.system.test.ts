// `npm run deploy` with a double of wrangler: it detects existing objects, creates missing ones,
// tests the deployment, and rolls back if the deployment fails.

import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listen } from '../../support/listen.ts';
import { DISK_IS_FULL, FULL_DISK, runProgram } from '../../support/processes.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import {
  type Dist,
  discard,
  makeData,
  makeDist,
  type SelfHosted,
  startSelfHosted,
} from '../../support/self-hosted.ts';
import { ROOT } from '../../support/source-files.ts';

const DOMAIN = 'charts.example';
const home = scratchFolder();
// In the folder of the original file, because its paths are relative.
const config = join(ROOT, `.wrangler-test-${process.pid}.toml`);
const data = makeData();
let dist: Dist;
/** The same Worker with the same keys, tested in place of the deployed one. */
let service: SelfHosted;

beforeAll(async () => {
  copyFileSync(join(ROOT, 'wrangler.toml'), config);
  dist = await makeDist();
  const environment = { PUBLIC_URL: `https://${DOMAIN}` };
  service = await startSelfHosted({ dist, data, charts: inject('demoCharts'), environment });
});
afterAll(async () => {
  rmSync(config, { force: true });
  await discard(service, data);
  dist?.remove();
});

interface Account {
  loggedIn: boolean;
  readonly buckets: string[];
  readonly namespaces: { id: string; title: string }[];
  readonly deployments: { worker: string; versions: { version_id: string }[] }[];
  /** By Worker. */
  readonly secrets: Record<string, Record<string, string>>;
  asked: string[][];
  /** Commands with this prefix fail, as when the platform is unreachable. */
  fails?: string | undefined;
}

const accountFile = join(home, 'account.json');
const account = () => JSON.parse(readFileSync(accountFile, 'utf8')) as Account;
const change = (how: (before: Account) => void) => {
  const changed = account();
  how(changed);
  writeFileSync(accountFile, JSON.stringify(changed));
};
const SERVICE = 'leadline-production';
const HEAVY_WORKER = 'leadline-heavy-work-production';
const deploymentsOf = (worker: string) =>
  account().deployments.filter((one) => one.worker === worker);
/** The versions that serve: of the service, and of the Worker for heavy work. */
const serving = () =>
  [SERVICE, HEAVY_WORKER].map((name) => deploymentsOf(name).at(-1)?.versions[0]?.version_id);

const deploy = (...words: string[]) => deployInto(undefined, ...words);

async function deployInto(output: string | undefined, ...words: string[]) {
  const all = ['--env', 'production', '--config', config, '--smoke-pause', '20', ...words];
  const environment = {
    WRANGLER_DOUBLE: home,
    LEADLINE_WRANGLER: join(ROOT, 'test/support/wrangler-double.mjs'),
  };
  const cli = 'workers/host/deploy/cli.ts';
  const { code, out, complaint } = await runProgram(cli, all, environment, '', output);
  return { code, said: out + complaint };
}

const withCharts = () => ['--domain', DOMAIN, '--charts', inject('demoCharts')];

test('npm run deploy lists the settings that only the operator can provide, and changes nothing', async () => {
  const { code, said } = await deploy('--data', join(home, 'keys-of-nobody'), '--yes');
  expect([code, said]).toEqual([1, expect.stringContaining('nothing was changed')]);
  expect(said).toMatch(/domain +missing/);
  expect(said).toMatch(/charts +missing/);
  expect(account()).toMatchObject({ buckets: [], namespaces: [], deployments: [] });
  expect(existsSync(join(home, 'keys-of-nobody'))).toBe(false);
});

test('npm run deploy asks for a missing login', async () => {
  change((it) => {
    it.loggedIn = false;
  });
  const { code, said } = await deploy(...withCharts(), '--yes');
  expect([code, said]).toEqual([1, expect.stringContaining('npx wrangler login')]);
  change((it) => {
    it.loggedIn = true;
  });
});

test('npm run deploy --dry-run passes its preflight, bundles, and does not change the account', async () => {
  const { code, said } = await deploy(...withCharts(), '--data', data, '--dry-run');
  expect([code, said]).toEqual([0, expect.stringContaining('tried: bundle')]);
  expect(account()).toMatchObject({ buckets: [], namespaces: [], deployments: [] });
  expect(readFileSync(config, 'utf8')).toBe(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8'));
});

test('npm run deploy does nothing without --yes if it cannot ask', async () => {
  const { code, said } = await deploy(...withCharts(), '--data', data);
  expect([code, said]).toEqual([1, expect.stringContaining('--yes')]);
  expect(account().buckets).toEqual([]);
});

test('npm run deploy creates what is missing, deploys with the secrets, and tests the deployment', async () => {
  const tried = ['--smoke-origin', service.address];
  const { code, said } = await deploy(...withCharts(), '--data', data, '--yes', ...tried);
  expect([code, said]).toEqual([0, expect.stringContaining(`runs at https://${DOMAIN}`)]);
  const { buckets, namespaces, secrets } = account();
  expect(buckets).toEqual(['leadline-charts']);
  expect(namespaces.map(({ title }) => title)).toEqual(['leadline-production']);
  expect(serving()).toEqual(['version-1', 'version-1']);
  // The Worker that the service calls was deployed first, without keys.
  expect(account().deployments.map(({ worker }) => worker)).toEqual([HEAVY_WORKER, SERVICE]);
  expect(secrets[HEAVY_WORKER]).toBeUndefined();
  const keys = JSON.parse(secrets[SERVICE]!['TOKEN_KEYS']!) as {
    keys: { kid: string; d?: string }[];
  };
  const own = JSON.parse(readFileSync(join(data, 'keys', 'signing-keys.json'), 'utf8'));
  expect(keys.keys.map(({ kid, d }) => [kid, d])).toEqual([[own.keys[0].kid, undefined]]);
  const text = readFileSync(config, 'utf8');
  const production = text.slice(text.indexOf('[env.production]'));
  expect(production).toContain(`pattern = "${DOMAIN}"`);
  expect(production).toContain(`id = "${namespaces[0]!.id}"`);
  // The other environment is unchanged.
  expect(text).toContain('staging-namespace-not-made');
});

test('npm run deploy keeps existing resources when it runs again', async () => {
  change((it) => {
    it.asked = [];
  });
  const tried = ['--smoke-origin', service.address];
  const { code, said } = await deploy('--data', data, '--yes', ...tried);
  expect([code, said]).toEqual([0, expect.stringMatching(/bucket +there/)]);
  expect(account().asked.filter((words) => words.includes('create'))).toEqual([]);
  expect(serving()).toEqual(['version-2', 'version-2']);
});

test.runIf(existsSync(FULL_DISK))(
  'npm run deploy ends its work on a full disk, and fails',
  async () => {
    change((it) => {
      it.asked = [];
    });
    const ran = await deployInto(FULL_DISK, '--data', data, '--dry-run');
    expect(ran).toEqual({ code: 1, said: DISK_IS_FULL });
    expect(account().asked.flat()).toContain('--dry-run');
  },
);

test('npm run deploy deploys nothing if it cannot find out which version serves', async () => {
  change((it) => {
    it.fails = 'deployments';
  });
  const ran = await deploy('--data', data, '--yes');
  change((it) => {
    it.fails = undefined;
  });
  expect([ran.code, ran.said]).toEqual([1, expect.stringContaining('listing deployments')]);
  expect(account().deployments).toHaveLength(4);
});

test('npm run deploy restores the first Worker if it cannot deploy the second', async () => {
  change((it) => {
    it.fails = `deploy --env production --config ${config}`;
  });
  const ran = await deploy('--data', data, '--yes', '--smoke-origin', service.address);
  change((it) => {
    it.fails = undefined;
  });
  expect([ran.code, ran.said]).toEqual([1, expect.stringContaining('wrangler failed deploying')]);
  expect(deploymentsOf(HEAVY_WORKER)).toHaveLength(4);
  expect(serving()).toEqual(['version-2', 'version-2']);
});

test('npm run deploy restores the previous versions if the new ones do not work', async () => {
  const broken = createServer((request, response) => {
    const isUp = request.url === '/healthz';
    response.writeHead(isUp ? 200 : 503).end('{"status":"not-ready"}');
  });
  const origin = `http://127.0.0.1:${await listen(broken)}`;
  const { code, said } = await deploy('--data', data, '--yes', '--smoke-origin', origin);
  broken.close();
  expect([code, said]).toEqual([1, expect.stringContaining('version-2 serves again')]);
  expect(said).toContain('BAD : it is ready: /readyz answered 503');
  expect(account().deployments).toHaveLength(10);
  expect(serving()).toEqual(['version-2', 'version-2']);
});
