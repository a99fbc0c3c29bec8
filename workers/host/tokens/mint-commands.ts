// `npm run tokens -- mint` and `rotate`: new tokens, printed once and kept nowhere.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { PUBLIC_SCOPES, SCOPES, type Scope } from '../../../shared/contract/scopes.ts';
import { DEVELOPMENT, loadKeys, mintToken } from '../admin/keys.ts';
import { ownerUrlGiven } from '../database/operator-variables.ts';
import {
  ensureDevelopmentAccount,
  type IssueRequest,
  issueToken,
  replaceToken,
} from '../registry/issue-token.ts';
import { lifeOf, originsOf, planOf, scopesOf, secondsOf } from './option-values.ts';
import {
  type Place,
  withAdministrator,
  withAdministratorAndEdge,
  withEdge,
  withPlace,
} from './workplace.ts';

/** What an app needs that shows charts and sends reports. */
const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => scope !== 'reports:admin' && scope !== 'styles:write',
);
const DAY_SECONDS = 86_400;

export function addMintCommands(program: Command): void {
  withPlace(program.command('mint'))
    .description('print a new token, and nothing else')
    .requiredOption('--sub <name>', 'who it is for: owner of the reports sent with it')
    .option('--account <name>', `account it belongs to; here, ${DEVELOPMENT.account} by default`)
    .option('--plan <plan>', 'standard or enterprise; the account’s by default', planOf)
    .option('--pilot', 'may plan routes; as the account by default')
    .option('--no-pilot', 'may not')
    .option('--admin', 'may delete the reports of others', false)
    .option('--public', `only what everybody may have: ${PUBLIC_SCOPES.join(', ')}`, false)
    .option('--scopes <a,b>', `of: ${SCOPES.join(', ')}`, scopesOf)
    .option('--origins <a,b>', 'web origins it may be used from', originsOf)
    .option('--ext', 'votes count per externalUserId; for tokens kept on servers', false)
    .option('--expires <time>', 'such as 30d, 12h, 1y', lifeOf, 30 * DAY_SECONDS)
    .option('--note <text>', 'a note for administrators')
    .option('--unrecorded', 'only sign it, without a database: it is in no list', false)
    .action(async (asked) => {
      const scopes = new Set<Scope>(
        asked.scopes ?? (asked.public ? PUBLIC_SCOPES : DEFAULT_SCOPES),
      );
      if (asked.admin) scopes.add('reports:admin');
      const request = {
        subject: asked.sub,
        plan: asked.plan,
        pilot: asked.pilot,
        scopes: [...scopes],
        origins: asked.origins ?? [],
        expiresInSeconds: asked.expires,
        votesForUsers: asked.ext,
        note: asked.note,
      };
      const account = accountOf(asked.account);
      console.log(
        asked.unrecorded
          ? await sign({ ...request, account }, asked)
          : await issue({ ...request, account }, asked, asked.account === undefined),
      );
    });

  withEdge(program.command('rotate'))
    .description('print a token that takes the place of another, which goes on for a while')
    .argument('<id>', 'of the token to replace')
    .option(
      '--grace <time>',
      'how long the old one goes on; 0s after a leak',
      secondsOf,
      DAY_SECONDS,
    )
    .action(async (id: string, { grace, ...place }: Place & { grace: number }) => {
      const keys = await loadKeys(resolve(place.data));
      const { token } = await withAdministratorAndEdge(place, (administrator) =>
        replaceToken(administrator, keys, id, { graceSeconds: grace }),
      );
      console.log(token);
    });
}

/** @throws Error where none was named and the database is not this machine's own */
function accountOf(asked: string | undefined): string {
  if (asked !== undefined) return asked;
  if (ownerUrlGiven() === undefined) return DEVELOPMENT.account;
  throw new Error('Name the account with --account; npm run tokens -- account list shows them.');
}

async function issue(request: IssueRequest, place: Place, isDevelopment: boolean): Promise<string> {
  const keys = await loadKeys(resolve(place.data));
  return withAdministrator(place, async (administrator) => {
    if (isDevelopment) await ensureDevelopmentAccount(administrator);
    return (await issueToken(administrator, keys, request)).token;
  });
}

async function sign(request: IssueRequest, { data }: Place): Promise<string> {
  const { plan = 'standard', pilot = false } = request;
  return (await mintToken(await loadKeys(resolve(data)), { ...request, plan, pilot }, Date.now()))
    .token;
}
