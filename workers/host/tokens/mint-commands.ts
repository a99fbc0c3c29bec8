// `npm run tokens -- mint` and `rotate`: issue tokens. Their text is printed once and never stored.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { kindOf, PUBLIC_SCOPES, SCOPES, type Scope } from '../../../shared/contract/scopes.ts';
import { mayLastForever } from '../../../shared/contract/token-claims.ts';
import { assertUsable, DEVELOPMENT, loadKeys, type MintedToken, mintToken } from '../admin/keys.ts';
import { ownerUrlGiven } from '../database/operator-variables.ts';
import {
  ensureDevelopmentAccount,
  type IssueRequest,
  issueToken,
  replaceToken,
} from '../registry/issue-token.ts';
import { lifeOf, originsOf, planOf, scopesOf, secondsOf } from './option-values.ts';
import { minuteOf } from './print.ts';
import {
  type Place,
  withAdministrator,
  withAdministratorAndEdge,
  withEdge,
  withStore,
} from './workplace.ts';

/** Scopes for an app that shows charts and sends reports. */
const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => !['reports:admin', 'styles:write', 'charts:write'].includes(scope),
);
const DAY_SECONDS = 86_400;

export function addMintCommands(program: Command): void {
  withEdge(program.command('mint'))
    .description('print a new token; its expiry goes to the standard error')
    .requiredOption('--sub <name>', 'who it is for: owner of the reports sent with it')
    .option('--account <name>', `account it belongs to; here, ${DEVELOPMENT.account} by default`)
    .option('--plan <plan>', 'standard or enterprise; the account’s by default', planOf)
    .option('--pilot', 'may plan routes; as the account by default')
    .option('--no-pilot', 'may not')
    .option('--admin', 'may delete the reports of others', false)
    .option('--public', `only public scopes: ${PUBLIC_SCOPES.join(', ')}`, false)
    .option('--scopes <a,b>', `of: ${SCOPES.join(', ')}`, scopesOf)
    .option('--origins <a,b>', 'web origins it may be used from', originsOf)
    .option('--ext', 'votes count per externalUserId; for tokens kept on servers', false)
    .option(
      '--expires <time>',
      'such as 30d, 12h, 1y, or never; 30d by default, and never with --opaque or for a public token with --origins',
      lifeOf,
    )
    .option('--note <text>', 'a note for administrators')
    .option(
      '--opaque',
      'a token of 32 hexadecimal digits, which the service looks up at the edge',
      false,
    )
    .option('--unrecorded', 'only sign it, without recording it in the database', false)
    .action(async (options) => {
      const scopes = new Set<Scope>(
        options.scopes ?? (options.public ? PUBLIC_SCOPES : DEFAULT_SCOPES),
      );
      if (options.admin) scopes.add('reports:admin');
      const list = [...scopes];
      if (options.public && kindOf(list, options.ext) !== 'pk') {
        throw new Error(
          `--public permits only the scopes ${PUBLIC_SCOPES.join(', ')}, and no --ext. Remove --public, or --admin, --ext and the other scopes.`,
        );
      }
      const origins: readonly string[] = options.origins ?? [];
      const request = {
        subject: options.sub,
        plan: options.plan,
        pilot: options.pilot,
        scopes: list,
        origins,
        expiresInSeconds: secondsToLive(
          options.expires,
          options.opaque || mayLastForever(list, options.ext, origins),
        ),
        votesForUsers: options.ext,
        note: options.note,
      };
      const account = accountOf(options.account);
      if (options.opaque && options.unrecorded) {
        throw new Error('An opaque token must be recorded: use either --opaque or --unrecorded.');
      }
      print(
        options.unrecorded
          ? await sign({ ...request, account }, options)
          : await issue({ ...request, account }, options, options.account === undefined),
      );
    });

  withEdge(program.command('rotate'))
    .description('replace a token: print a new one, and end the old one after a grace period')
    .argument('<id>', 'id of the token to replace')
    .option(
      '--grace <time>',
      'time until the old token ends; use 0s after a leak',
      secondsOf,
      DAY_SECONDS,
    )
    .action(async (id: string, { grace, ...place }: Place & { grace: number }) => {
      const keys = await loadKeys(resolve(place.data));
      print(
        await withAdministratorAndEdge(place, (administrator, store) =>
          replaceToken(administrator, keys, id, { graceSeconds: grace, store }),
        ),
      );
    });
}

/** @throws Error if --account is missing and the database is not the local one */
function accountOf(requested: string | undefined): string {
  if (requested !== undefined) return requested;
  if (ownerUrlGiven() === undefined) return DEVELOPMENT.account;
  throw new Error('Name the account with --account; npm run tokens -- account list shows them.');
}

/** Print the token to standard output, for scripts, and its expiry to standard error. */
function print({ token, expiresAt }: MintedToken): void {
  console.log(token);
  console.error(
    expiresAt === null
      ? 'This token does not expire. End it with: npm run tokens -- revoke'
      : `This token expires at ${minuteOf(expiresAt)}.`,
  );
}

/** @throws Error for a token without expiry if its rights do not permit that */
function secondsToLive(
  requested: number | 'never' | undefined,
  mayBeEndless: boolean,
): number | undefined {
  if (requested === 'never' && !mayBeEndless) {
    throw new Error(
      `Only an opaque token or a public token that is restricted to origins may last for ever: use --opaque, or --origins with no other scopes than ${PUBLIC_SCOPES.join(', ')}.`,
    );
  }
  if (typeof requested === 'number') return requested;
  return mayBeEndless ? undefined : 30 * DAY_SECONDS;
}

async function issue(
  request: IssueRequest,
  place: Place & { readonly opaque: boolean },
  isDevelopment: boolean,
): Promise<MintedToken> {
  const issueBy = (by: Parameters<typeof issueToken>[1]) =>
    withAdministrator(place, async (administrator) => {
      if (isDevelopment) await ensureDevelopmentAccount(administrator);
      return issueToken(administrator, by, request);
    });
  if (!place.opaque) return issueBy(await loadKeys(resolve(place.data)));
  return withStore(place, (store) => issueBy({ store }));
}

async function sign(request: IssueRequest, { data }: Place): Promise<MintedToken> {
  const { plan = 'standard', pilot = false } = request;
  const keys = await loadKeys(resolve(data));
  const minted = await mintToken(keys, { ...request, plan, pilot }, Date.now());
  assertUsable(minted.token);
  return minted;
}
