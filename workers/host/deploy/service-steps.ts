// The steps that make what is deployed: keys, the database's tables, assets, the Worker, charts.

import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureKeys, loadUserTokenSecret, missingKeyFiles } from '../admin/keys.ts';
import { must } from '../admin/run-wrangler.ts';
import { reasonOf } from '../database/json-log.ts';
import { withClient } from '../database/local-database.ts';
import { migrate, pending, readMigrations } from '../database/migrations.ts';
import { runTool } from '../database/process.ts';
import { buildAssets } from '../serve/build.ts';
import {
  type Deployment,
  environmentOf,
  type Found,
  missing,
  type Step,
  there,
  toMake,
} from './step.ts';
import { currentVersion } from './versions.ts';

export const keys: Step = {
  name: 'keys',
  look: async (deployment) => {
    const folder = join(deployment.data, 'keys');
    const lacks = missingKeyFiles(deployment.data);
    if (lacks.length === 0) return there(folder);
    const serving = await currentVersion(deployment, deployment.config);
    if (serving === undefined) {
      return toMake(`${lacks.join(' and ')} in ${folder}: keep a copy, they sign every token`);
    }
    // New ones in silence would make every token worthless that was given out.
    return missing(
      `${lacks.join(' and ')} in ${folder}, which ${serving} was deployed with: name their folder with --data`,
    );
  },
  make: async ({ data }) => {
    await ensureKeys(data);
    await loadUserTokenSecret(data);
  },
};

export const database: Step = {
  name: 'database',
  look: async ({ databaseOwnerUrl, databaseUrl }) => {
    if (databaseOwnerUrl === undefined && databaseUrl === undefined) {
      return there(
        'none: reports, soundings and saved styles answer 503 (set DATABASE_OWNER_URL and DATABASE_URL)',
      );
    }
    if (databaseUrl === undefined) {
      return missing(
        'DATABASE_URL, the service’s own login: npm run migrate -- --login leadline_worker',
      );
    }
    const refusal = await refusalOf(databaseUrl);
    if (refusal !== undefined) return missing(`the database at DATABASE_URL says: ${refusal}`);
    if (databaseOwnerUrl === undefined) return there('DATABASE_URL; its tables are not looked at');
    return lookAtTables(databaseOwnerUrl);
  },
  make: async ({ databaseOwnerUrl }) =>
    void (await withClient(databaseOwnerUrl as string, (client) =>
      migrate(client, readMigrations()),
    )),
};

/** Why a login is not let in; undefined where it is. */
const refusalOf = (url: string): Promise<string | undefined> =>
  withClient(url, async (client) => void (await client.query('SELECT 1'))).catch(reasonOf);

async function lookAtTables(ownerUrl: string): Promise<Found> {
  try {
    const lacks = await withClient(ownerUrl, (client) => pending(client, readMigrations()));
    if (lacks.length === 0) return there('its tables are up to date');
    return toMake(`migrations ${lacks.map(({ name }) => name).join(', ')}`);
  } catch (error) {
    return missing(`the database at DATABASE_OWNER_URL says: ${reasonOf(error)}`);
  }
}

export const assets: Step = {
  name: 'assets',
  // Always made anew: what is there may be of an older checkout, and what has not changed stays.
  look: async () => toMake('the page, symbols and letters in dist/assets'),
  make: async ({ root }) => buildAssets(root),
};

export const bundle: Step = {
  name: 'bundle',
  look: async () => toMake('the two Workers, tried by wrangler without deploying them'),
  make: async ({ wrangler, name, config, heavyConfig }) => {
    const out = mkdtempSync(join(tmpdir(), 'leadline-bundle-'));
    try {
      for (const path of [heavyConfig, config]) {
        const words = ['deploy', '--dry-run', '--env', name, '--config', path, '--outdir', out];
        await must(wrangler(...words), 'bundling the Worker');
      }
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  },
};

/** The largest file that wrangler uploads, which tiles-build/publish keeps to as well. */
const MOST_BYTES_BY_WRANGLER = 300 * 2 ** 20;

export const charts: Step = {
  name: 'charts',
  look: async (deployment) => {
    if (await hasCurrentBuild(deployment)) return there('a build is current');
    if (deployment.charts === undefined) {
      return missing(
        'no charts in the bucket: name a build with --charts (npm run charts -- build)',
      );
    }
    return lookAtBuild(deployment.charts, environmentOf(deployment).bucket);
  },
  make: async (deployment) => {
    const { bucket } = environmentOf(deployment);
    const words = ['publish', deployment.charts as string, '--remote', '--bucket', bucket];
    await runTool(deployment.root, 'tiles-build/cli.ts', words);
  },
};

/** @throws Error where it cannot be known: a build over another one would change what is served */
async function hasCurrentBuild(deployment: Deployment): Promise<boolean> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-pointer-'));
  try {
    const object = `${environmentOf(deployment).bucket}/current.json`;
    const words = ['r2', 'object', 'get', object, '--remote', '--file', join(scratch, 'pointer')];
    const ran = await deployment.wrangler(...words);
    if (ran.code !== 0 && /specified key does not exist/i.test(ran.said)) return false;
    await must(ran, 'looking for charts in the bucket');
    return true;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function lookAtBuild(folder: string, bucket: string): Found {
  if (!existsSync(join(folder, 'manifest.json'))) {
    return missing(`${folder} holds no manifest.json: make it with npm run charts -- build`);
  }
  const tooLarge = readdirSync(folder).filter(
    (file) => statSync(join(folder, file)).size > MOST_BYTES_BY_WRANGLER,
  );
  if (tooLarge.length === 0) return toMake(`the build in ${folder}`);
  return missing(
    `wrangler cannot upload ${tooLarge.join(', ')}: first npm run charts -- publish ${folder} --r2 ${bucket}`,
  );
}
