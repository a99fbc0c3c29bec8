// `npm run tokens`: mint and look at tokens, and look after the keys that sign them.

import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { isScope, PLANS, type Plan, SCOPES, type Scope } from '../../shared/contract/scopes.ts';
import { loadKeys, mintToken, publicKeySet, retireKey, rotateKeys } from './keys.ts';

const DEFAULT_DATA = resolve(import.meta.dirname, '../../.data');
/** What an app needs that shows charts and sends reports. */
const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => scope !== 'reports:admin' && scope !== 'styles:write',
);
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, y: 31_536_000 } as const;

const program = new Command('tokens').description(
  'Tokens of a Leadline service, and the keys that sign them.',
);

const withData = (command: Command): Command =>
  command.option('--data <dir>', 'folder of the service state', DEFAULT_DATA);

withData(program.command('mint'))
  .description('print a new token, and nothing else')
  .requiredOption('--sub <name>', 'who the token is for')
  .option('--account <name>', 'account it belongs to; the same as --sub by default')
  .option('--plan <plan>', 'standard or enterprise', planOf, 'standard')
  .option('--pilot', 'may plan routes', false)
  .option('--admin', 'may delete the reports of others (header only)', false)
  .option('--scopes <a,b>', `of: ${SCOPES.join(', ')}`, scopesOf)
  .option('--origins <a,b>', 'web origins it may be used from', originsOf)
  .option('--ext', 'votes count per externalUserId; for tokens kept on servers', false)
  .option('--expires <time>', 'such as 30d, 12h, 1y', secondsOf, 30 * SECONDS.d)
  .action(async (asked) => {
    const scopes = new Set<Scope>(asked.scopes ?? DEFAULT_SCOPES);
    if (asked.admin) scopes.add('reports:admin');
    const { token } = await mintToken(
      await loadKeys(resolve(asked.data)),
      {
        subject: asked.sub,
        account: asked.account ?? asked.sub,
        plan: asked.plan,
        pilot: asked.pilot,
        scopes: [...scopes],
        origins: asked.origins ?? [],
        expiresInSeconds: asked.expires,
        votesForUsers: asked.ext,
      },
      Date.now(),
    );
    console.log(token);
  });

withData(program.command('inspect'))
  .description('show what a token says, and whether one of the keys signed it')
  .argument('<token>')
  .action(async (token: string, { data }) => {
    const said = { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
    const keySet = createLocalJWKSet({
      keys: [...publicKeySet(await loadKeys(resolve(data))).keys],
    });
    const signature = await jwtVerify(token, keySet).then(
      () => 'good',
      (error: Error) => error.message,
    );
    console.log(JSON.stringify({ ...said, signature }, null, 2));
  });

const keys = program.command('keys').description('the keys that sign tokens');

withData(keys.command('list', { isDefault: true }))
  .description('ids of the keys; the last one signs')
  .action(async ({ data }) => {
    for (const key of (await loadKeys(resolve(data))).keys) console.log(key.kid);
  });

withData(keys.command('rotate'))
  .description('add a key that signs from now on; restart the service to use it')
  .action(async ({ data }) => console.log((await rotateKeys(resolve(data))).keys.at(-1)?.kid));

withData(keys.command('retire'))
  .description('end a key and every token signed with it')
  .argument('<kid>')
  .action(async (kid: string, { data }) => {
    await retireKey(resolve(data), kid);
  });

function planOf(value: string): Plan {
  const plan = PLANS.find((one) => one === value);
  if (plan === undefined) throw new InvalidArgumentError(`It is one of ${PLANS.join(', ')}.`);
  return plan;
}

function scopesOf(value: string): Scope[] {
  const scopes = value.split(',').map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no scope "${unknown}".`);
  return scopes.filter(isScope);
}

function originsOf(value: string): string[] {
  return value.split(',').map((origin) => {
    try {
      return new URL(origin.trim()).origin;
    } catch {
      throw new InvalidArgumentError(`"${origin}" is no origin, such as https://example.org.`);
    }
  });
}

function secondsOf(value: string): number {
  const [, amount, unit] = /^(\d{1,9})([smhdy])$/.exec(value) ?? [];
  if (amount === undefined) throw new InvalidArgumentError('It is a number and one of s m h d y.');
  return Number(amount) * SECONDS[unit as keyof typeof SECONDS];
}

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
