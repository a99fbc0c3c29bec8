// The steps that the account at Cloudflare is asked about: login, domain, bucket, namespace.

import { jsonIn, must } from '../admin/run-wrangler.ts';
import { type EnvironmentName, setDomain, setNamespace } from './environment-file.ts';
import { type Deployment, environmentOf, missing, type Step, there, toMake } from './step.ts';

export const account: Step = {
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

/** Labels of letters, digits and hyphens (RFC 1123, 2.1), two at least, and a letter in the last. */
const HOST_NAME =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i;

export const domain: Step = {
  name: 'domain',
  look: async (deployment) => {
    const known = environmentOf(deployment).domain;
    if (deployment.domain === undefined) {
      return known === undefined
        ? missing('no domain: name one of a zone in the account with --domain')
        : there(known);
    }
    if (!HOST_NAME.test(deployment.domain)) {
      return missing(
        `--domain takes the name of a host alone, such as charts.example: ${deployment.domain} is none`,
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

export const namespace: Step = {
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
