// The deployment steps that create what is deployed: keys, tables, assets, Workers, charts.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureKeys, loadUserTokenSecret, missingKeyFiles } from '../admin/keys.ts';
import { checked } from '../admin/run-wrangler.ts';
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
      return toMake(
        `${lacks.join(' and ')} in ${folder}: keep a copy, because these keys sign every token`,
      );
    }
    // New keys would silently invalidate every issued token.
    return missing(
      `${lacks.join(' and ')} in ${folder}: version ${serving} uses these keys; set --data to their folder`,
    );
  },
  make: async ({ data }) => {
    await ensureKeys(data);
    await loadUserTokenSecret(data);
  },
};

export const database: Step = {
  name: 'database',
  look: async (deployment) => {
    const { databaseOwnerUrl, databaseUrl } = deployment;
    if (databaseOwnerUrl === undefined && databaseUrl === undefined) {
      return (await isDatabaseDeployed(deployment))
        ? missing(
            'DATABASE_OWNER_URL and DATABASE_URL: the deployed version keeps its database, whose tables must be checked',
          )
        : there(
            'none: reports, soundings and saved styles return 503 (set DATABASE_OWNER_URL and DATABASE_URL)',
          );
    }
    if (databaseUrl === undefined) {
      return missing(
        'DATABASE_URL, the service’s login: create it with npm run migrate -- --login leadline_worker',
      );
    }
    const refusal = await refusalOf(databaseUrl);
    if (refusal !== undefined)
      return missing(`cannot use the database at DATABASE_URL: ${refusal}`);
    if (databaseOwnerUrl === undefined)
      return there('DATABASE_URL; tables not checked without DATABASE_OWNER_URL');
    return lookAtTables(databaseOwnerUrl);
  },
  make: async ({ databaseOwnerUrl }) =>
    void (await withClient(databaseOwnerUrl as string, (client) =>
      migrate(client, readMigrations()),
    )),
};

/** Whether the service was deployed with a database. A deployment without DATABASE_URL keeps the secret. */
async function isDatabaseDeployed(deployment: Deployment): Promise<boolean> {
  const { wrangler, name, config } = deployment;
  if ((await currentVersion(deployment, config)) === undefined) return false;
  const ran = wrangler('secret', 'list', '--env', name, '--config', config);
  return (await checked(ran, 'listing secrets')).includes('"DATABASE_URL"');
}

/** Why a login fails, or `undefined` if it works. */
const refusalOf = (url: string): Promise<string | undefined> =>
  withClient(url, async (client) => void (await client.query('SELECT 1'))).catch(reasonOf);

async function lookAtTables(ownerUrl: string): Promise<Found> {
  try {
    const lacks = await withClient(ownerUrl, (client) => pending(client, readMigrations()));
    if (lacks.length === 0) return there('its tables are up to date');
    return toMake(`migrations ${lacks.map(({ name }) => name).join(', ')}`);
  } catch (error) {
    return missing(`cannot use the database at DATABASE_OWNER_URL: ${reasonOf(error)}`);
  }
}

export const assets: Step = {
  name: 'assets',
  // Always rebuilt, because existing files may be from an older checkout.
  look: async () => toMake('the page, symbols and fonts in dist/assets'),
  make: async ({ root }) => buildAssets(root),
};

export const bundle: Step = {
  name: 'bundle',
  look: async () => toMake('the two Workers, bundled by wrangler without deploying them'),
  make: async ({ wrangler, name, config, heavyConfig }) => {
    const out = mkdtempSync(join(tmpdir(), 'leadline-bundle-'));
    try {
      for (const path of [heavyConfig, config]) {
        const args = ['deploy', '--dry-run', '--env', name, '--config', path, '--outdir', out];
        await checked(wrangler(...args), 'bundling the Worker');
      }
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  },
};

export const charts: Step = {
  name: 'charts',
  look: async (deployment) => {
    if (await hasCurrentBuild(deployment)) return there('a build is current');
    if (deployment.charts === undefined) {
      return missing(
        'no charts in the bucket: name a build with --charts (made with npm run charts -- build)',
      );
    }
    return lookAtBuild(deployment.charts);
  },
  make: async (deployment) => {
    const { bucket } = environmentOf(deployment);
    const args = ['publish', deployment.charts as string, '--remote', '--bucket', bucket];
    await runTool(deployment.root, 'tiles-build/cli.ts', args);
  },
};

/** @throws Error if the bucket cannot be read: publishing could then replace the current charts */
async function hasCurrentBuild(deployment: Deployment): Promise<boolean> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-pointer-'));
  try {
    const object = `${environmentOf(deployment).bucket}/current.json`;
    const args = ['r2', 'object', 'get', object, '--remote', '--file', join(scratch, 'pointer')];
    const ran = await deployment.wrangler(...args);
    if (ran.code !== 0 && /specified key does not exist/i.test(ran.output)) return false;
    await checked(ran, 'looking for charts in the bucket');
    return true;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function lookAtBuild(folder: string): Found {
  if (existsSync(join(folder, 'manifest.json'))) return toMake(`the build in ${folder}`);
  return missing(`${folder} has no manifest.json: build charts with npm run charts -- build`);
}
