// The deployment steps that concern the Cloudflare account: login, domain, bucket, namespace.

import { checked, jsonIn } from '../admin/run-wrangler.ts';
import { type EnvironmentName, setDomain, setNamespace } from './environment-file.ts';
import { type Deployment, environmentOf, missing, type Step, there, toMake } from './step.ts';

export const account: Step = {
  name: 'account',
  look: async ({ wrangler }) => {
    const { code, stdout } = await wrangler('whoami', '--json');
    if (code !== 0)
      return missing(
        'wrangler is not logged in: run npx wrangler login, or set CLOUDFLARE_API_TOKEN',
      );
    const { accounts } = jsonIn(stdout) as { readonly accounts?: { readonly name: string }[] };
    const names = (accounts ?? []).map((one) => one.name);
    if (names.length > 1 && process.env['CLOUDFLARE_ACCOUNT_ID'] === undefined) {
      return missing(
        `several accounts (${names.join(', ')}): set CLOUDFLARE_ACCOUNT_ID to one of them`,
      );
    }
    return there(names.join(', ') || 'logged in');
  },
};

/** At least two labels of letters, digits and hyphens (RFC 1123, 2.1); the last begins with a letter. */
const HOST_NAME =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i;

export const domain: Step = {
  name: 'domain',
  look: async (deployment) => {
    const known = environmentOf(deployment).domain;
    if (deployment.domain === undefined) {
      return known === undefined
        ? missing('no domain: set one with --domain; its zone must be in the account')
        : there(known);
    }
    if (!HOST_NAME.test(deployment.domain)) {
      return missing(
        `--domain ${deployment.domain} is not a host name; expected only a host, such as charts.example`,
      );
    }
    return known === deployment.domain
      ? there(known)
      : toMake(`${deployment.domain} in wrangler.toml`);
  },
  make: async ({ config, name, domain: wanted }) => setDomain(config, name, wanted as string),
};

export const bucket: Step = {
  name: 'bucket',
  look: async (deployment) => {
    const { bucket: wanted } = environmentOf(deployment);
    const listed = await checked(deployment.wrangler('r2', 'bucket', 'list'), 'listing buckets');
    const names = [...listed.matchAll(/^\s*name:\s*(\S+)/gm)].map(([, one]) => one);
    return names.includes(wanted) ? there(wanted) : toMake(wanted);
  },
  make: async (deployment) => {
    const { bucket: wanted } = environmentOf(deployment);
    await checked(
      deployment.wrangler('r2', 'bucket', 'create', wanted),
      `creating the bucket ${wanted}`,
    );
  },
};

const titleOf = (name: EnvironmentName) => `leadline-${name}`;

async function namespaces({ wrangler }: Deployment) {
  const listed = await checked(wrangler('kv', 'namespace', 'list'), 'listing namespaces');
  return jsonIn(listed) as readonly { readonly id: string; readonly title: string }[];
}

export const namespace: Step = {
  name: 'namespace',
  look: async (deployment) => {
    const known = environmentOf(deployment).namespace;
    const all = await namespaces(deployment);
    if (known !== undefined) {
      return all.some(({ id }) => id === known)
        ? there(known)
        : missing(
            `the account has no namespace ${known}: correct the id in wrangler.toml, or restore its placeholder to create a namespace`,
          );
    }
    const title = titleOf(deployment.name);
    const existing = all.find((one) => one.title === title);
    return toMake(existing === undefined ? title : `${existing.id} (${title}) in wrangler.toml`);
  },
  make: async (deployment) => {
    const title = titleOf(deployment.name);
    const find = async () => (await namespaces(deployment)).find((one) => one.title === title)?.id;
    let id = await find();
    if (id === undefined) {
      await checked(
        deployment.wrangler('kv', 'namespace', 'create', title),
        `creating the namespace ${title}`,
      );
      id = await find();
    }
    if (id === undefined)
      throw new Error(
        `The namespace ${title} was created but is not listed yet. Run the command again.`,
      );
    setNamespace(deployment.config, deployment.name, id);
  },
};
