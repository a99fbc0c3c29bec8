// What a deployment needs, step by step: each can be looked at as often as one likes, says what is there
// and what is missing, and makes what is missing.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../admin/database/local-database.ts';
import { migrate, pending, readMigrations } from '../admin/database/migrations.ts';
import { runTool } from '../admin/database/process.ts';
import { ensureKeys } from '../admin/keys.ts';
import { jsonIn, must, type Wrangler } from '../admin/run-wrangler.ts';
import { buildAssets } from '../self-hosted/build.ts';
import {
  type Environment,
  type EnvironmentName,
  readEnvironment,
  setDomain,
  setNamespace,
} from './environment-file.ts';

export interface Deployment {
  /** The checkout; `wrangler.toml` lies in it. */
  readonly root: string;
  readonly config: string;
  readonly name: EnvironmentName;
  /** Sets the environment's domain. */
  readonly domain: string | undefined;
  /** A build of charts to publish where the bucket has none. */
  readonly charts: string | undefined;
  /** Folder with the private keys. */
  readonly data: string;
  /** The owner's login of the database; without it there is none. */
  readonly databaseOwnerUrl: string | undefined;
  /** The service's own login. */
  readonly databaseUrl: string | undefined;
  readonly wrangler: Wrangler;
}

/** What a look found: there, to be made by us, or missing and only the operator's to give. */
export type Found =
  | { readonly state: 'there'; readonly what: string }
  | { readonly state: 'to make'; readonly what: string }
  | { readonly state: 'missing'; readonly what: string };

export interface Step {
  readonly name: string;
  look(deployment: Deployment): Promise<Found>;
  /** Make what `look` said is to be made. */
  make?(deployment: Deployment): Promise<void>;
}

const there = (what: string): Found => ({ state: 'there', what });
const toMake = (what: string): Found => ({ state: 'to make', what });
const missing = (what: string): Found => ({ state: 'missing', what });

const environmentOf = ({ config, name }: Deployment): Environment => readEnvironment(config, name);

const account: Step = {
  name: 'account',
  look: async ({ wrangler }) => {
    const { code, printed } = await wrangler('whoami', '--json');
    if (code !== 0)
      return missing('wrangler is not logged in: npx wrangler login, or CLOUDFLARE_API_TOKEN');
    const { accounts } = jsonIn(printed) as { readonly accounts?: { readonly name: string }[] };
    const names = (accounts ?? []).map((one) => one.name);
    if (names.length > 1 && process.env['CLOUDFLARE_ACCOUNT_ID'] === undefined) {
      return missing(`several accounts (${names.join(', ')}): name one in CLOUDFLARE_ACCOUNT_ID`);
    }
    return there(names.join(', ') || 'logged in');
  },
};

const domain: Step = {
  name: 'domain',
  look: async (deployment) => {
    const known = environmentOf(deployment).domain;
    if (deployment.domain === undefined) {
      return known === undefined
        ? missing('no domain: name one of a zone in the account with --domain')
        : there(known);
    }
    return known === deployment.domain
      ? there(known)
      : toMake(`${deployment.domain} in wrangler.toml`);
  },
  make: async ({ config, name, domain: wanted }) => setDomain(config, name, wanted as string),
};

const bucket: Step = {
  name: 'bucket',
  look: async (deployment) => {
    const { bucket: wanted } = environmentOf(deployment);
    const listed = await must(deployment.wrangler('r2', 'bucket', 'list'), 'listing buckets');
    const names = [...listed.matchAll(/^\s*name:\s*(\S+)/gm)].map(([, one]) => one);
    return names.includes(wanted) ? there(wanted) : toMake(wanted);
  },
  make: async (deployment) => {
    const { bucket: wanted } = environmentOf(deployment);
    await must(
      deployment.wrangler('r2', 'bucket', 'create', wanted),
      `making the bucket ${wanted}`,
    );
  },
};

const titleOf = (name: EnvironmentName) => `leadline-${name}`;

async function namespaces({ wrangler }: Deployment) {
  const listed = await must(wrangler('kv', 'namespace', 'list'), 'listing namespaces');
  return jsonIn(listed) as readonly { readonly id: string; readonly title: string }[];
}

const namespace: Step = {
  name: 'namespace',
  look: async (deployment) => {
    const known = environmentOf(deployment).namespace;
    const all = await namespaces(deployment);
    if (known !== undefined) {
      return all.some(({ id }) => id === known)
        ? there(known)
        : missing(`wrangler.toml names the namespace ${known}, which the account has not`);
    }
    const title = titleOf(deployment.name);
    const made = all.find((one) => one.title === title);
    return toMake(made === undefined ? title : `${made.id} (${title}) in wrangler.toml`);
  },
  make: async (deployment) => {
    const title = titleOf(deployment.name);
    const find = async () => (await namespaces(deployment)).find((one) => one.title === title)?.id;
    let id = await find();
    if (id === undefined) {
      await must(
        deployment.wrangler('kv', 'namespace', 'create', title),
        `making the namespace ${title}`,
      );
      id = await find();
    }
    if (id === undefined) throw new Error(`The namespace ${title} was made and is not listed.`);
    setNamespace(deployment.config, deployment.name, id);
  },
};

const keys: Step = {
  name: 'keys',
  look: async ({ data }) =>
    existsSync(join(data, 'keys', 'signing-keys.json'))
      ? there(join(data, 'keys'))
      : toMake(`signing keys in ${join(data, 'keys')}: keep a copy, they sign every token`),
  make: async ({ data }) => void (await ensureKeys(data)),
};

const database: Step = {
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
    if (databaseOwnerUrl === undefined) return there('DATABASE_URL; its tables are not looked at');
    const lacks = await withClient(databaseOwnerUrl, (client) => pending(client, readMigrations()));
    if (lacks.length === 0) return there('its tables are up to date');
    return toMake(`migrations ${lacks.map(({ name }) => name).join(', ')}`);
  },
  make: async ({ databaseOwnerUrl }) =>
    void (await withClient(databaseOwnerUrl as string, (client) =>
      migrate(client, readMigrations()),
    )),
};

const assets: Step = {
  name: 'assets',
  // Always made anew: what is there may be of an older checkout, and what has not changed stays.
  look: async () => toMake('the page, symbols and letters in dist/assets'),
  make: async ({ root }) => buildAssets(root),
};

const bundle: Step = {
  name: 'bundle',
  look: async () => toMake('the Worker, tried by wrangler without deploying it'),
  make: async ({ wrangler, name, config }) => {
    const out = mkdtempSync(join(tmpdir(), 'leadline-bundle-'));
    try {
      const words = ['deploy', '--dry-run', '--env', name, '--config', config, '--outdir', out];
      await must(wrangler(...words), 'bundling the Worker');
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  },
};

const charts: Step = {
  name: 'charts',
  look: async (deployment) => {
    const scratch = mkdtempSync(join(tmpdir(), 'leadline-pointer-'));
    try {
      const object = `${environmentOf(deployment).bucket}/current.json`;
      const words = ['r2', 'object', 'get', object, '--remote', '--file', join(scratch, 'pointer')];
      if ((await deployment.wrangler(...words)).code === 0) return there('a build is current');
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
    if (deployment.charts === undefined) {
      return missing(
        'no charts in the bucket: name a build with --charts (npm run charts -- build)',
      );
    }
    return toMake(`the build in ${deployment.charts}`);
  },
  make: async (deployment) => {
    const words = [
      'publish',
      deployment.charts as string,
      '--remote',
      '--bucket',
      environmentOf(deployment).bucket,
    ];
    await runTool(deployment.root, 'tiles-build/cli.ts', words);
  },
};

/** In their order; a deployment follows. */
export const STEPS: readonly Step[] = [
  account,
  domain,
  bucket,
  namespace,
  keys,
  database,
  assets,
  bundle,
  charts,
];
