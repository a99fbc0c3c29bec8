// `npm run deploy`: the service onto the platform.

import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { wranglerIn } from '../admin/run-wrangler.ts';
import { variable } from '../database/operator-variables.ts';
import { deploy } from './deploy.ts';
import { ENVIRONMENTS, type EnvironmentName } from './environment-file.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

interface Words {
  readonly env: EnvironmentName;
  readonly domain?: string;
  readonly charts?: string;
  readonly data: string;
  readonly config: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly smokeOrigin?: string;
  readonly smokePause: number;
}

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.error('Say --yes where there is no terminal to ask at.');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Make what is missing, and deploy? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(text);
}

const program = new Command('deploy')
  .description('Look at what a deployment needs, make what is missing, deploy, try it, or go back.')
  .addOption(new Option('--env <name>', 'which one').choices(ENVIRONMENTS).default('staging'))
  .option('--domain <name>', 'its address, of a zone in the account; remembered in wrangler.toml')
  .option('--charts <dir>', 'a build to publish where the bucket has none')
  .option('--data <dir>', 'folder with the private keys', '.data')
  .option('--config <file>', 'another wrangler.toml', resolve(ROOT, 'wrangler.toml'))
  .option('--dry-run', 'only look, and bundle')
  .option('--yes', 'do not ask')
  .option('--smoke-origin <url>', 'try it at another address than its domain')
  .option('--smoke-pause <ms>', 'between attempts', wholeNumber, 3000)
  .addHelpText(
    'after',
    `
Environment: DATABASE_OWNER_URL (migrations), DATABASE_URL (the service's own login),
CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID where there is no browser to log in with. It may be run as often as one
likes: what is there stays.`,
  )
  .action((words: Words) =>
    deploy(
      {
        root: ROOT,
        config: resolve(words.config),
        heavyConfig: resolve(import.meta.dirname, 'heavy-worker.toml'),
        name: words.env,
        domain: words.domain,
        charts: words.charts,
        data: resolve(words.data),
        databaseOwnerUrl: variable('DATABASE_OWNER_URL'),
        databaseUrl: variable('DATABASE_URL'),
        wrangler: wranglerIn(ROOT),
      },
      {
        isDryRun: words.dryRun === true,
        smokeOrigin: words.smokeOrigin,
        smokePauseMs: words.smokePause,
        say: (line) => console.log(line),
        confirm: async () => words.yes === true || confirm(),
      },
    ),
  );

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
