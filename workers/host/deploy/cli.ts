// `npm run deploy`: deploys the service to Cloudflare.

import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { endIfOutputFails, refuseEmptyOptions } from '../../../shared/contract/command-program.ts';
import { wranglerIn } from '../admin/run-wrangler.ts';
import { explain } from '../database/explain.ts';
import { continueWithoutOutput } from '../database/json-log.ts';
import { isHttpUrl, variable } from '../database/operator-variables.ts';
import { deploy } from './deploy.ts';
import { ENVIRONMENTS, type EnvironmentName } from './environment-file.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

interface CliOptions {
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
    console.error('There is no terminal for the confirmation. Use --yes to deploy without it.');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Create what is missing, and deploy? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text))
    throw new InvalidArgumentError('Expected a whole number of milliseconds.');
  return Number(text);
}

function hostName(text: string): string {
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)) return text;
  throw new InvalidArgumentError('Expected a host name, for example charts.example.org.');
}

function httpUrl(text: string): string {
  if (isHttpUrl(text)) return text;
  throw new InvalidArgumentError('Expected an http or https URL, for example https://example.org.');
}

const program = new Command('deploy')
  .description(
    'Check the requirements, create what is missing, deploy, test the result, and roll back if a test fails.',
  )
  .hook('preAction', (_, command) => refuseEmptyOptions(command))
  .addOption(new Option('--env <name>', 'environment').choices(ENVIRONMENTS).default('staging'))
  .option(
    '--domain <name>',
    'host name, whose zone is in the account; stored in wrangler.toml',
    hostName,
  )
  .option('--charts <dir>', 'chart build to publish if the bucket is without charts')
  .option('--data <dir>', 'folder with the private keys', '.data')
  .option('--config <file>', 'another wrangler.toml', resolve(ROOT, 'wrangler.toml'))
  .option('--dry-run', 'only check and bundle')
  .option('--yes', 'skip the confirmation')
  .option('--smoke-origin <url>', 'address for the smoke test, instead of the domain', httpUrl)
  .option('--smoke-pause <ms>', 'pause between attempts of the smoke test', wholeNumber, 3000)
  .addHelpText(
    'after',
    `
Environment: DATABASE_OWNER_URL (migrations), DATABASE_URL (the service's own login),
CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID (login without a browser).
You can run the command again at any time: existing resources are kept.`,
  )
  .action((options: CliOptions) =>
    deploy(
      {
        root: ROOT,
        config: resolve(options.config),
        heavyConfig: resolve(import.meta.dirname, 'heavy-worker.toml'),
        name: options.env,
        domain: options.domain,
        charts: options.charts,
        data: resolve(options.data),
        databaseOwnerUrl: variable('DATABASE_OWNER_URL'),
        databaseUrl: variable('DATABASE_URL'),
        wrangler: wranglerIn(ROOT),
      },
      {
        isDryRun: options.dryRun === true,
        smokeOrigin: options.smokeOrigin,
        smokePauseMs: options.smokePause,
        say: (line) => console.log(line),
        confirm: async () => options.yes === true || confirm(),
      },
    ),
  );

// A deployment must not end half-way: only its exit code changes.
continueWithoutOutput();
endIfOutputFails({
  stdout: process.stdout,
  stderr: process.stderr,
  exit: (code) => {
    process.exitCode = code;
  },
});
try {
  await program.parseAsync();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
