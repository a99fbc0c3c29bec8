// `npm run tokens -- list`, `show`, `inspect` and `revoke`: tokens that were minted.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { isOpaqueToken, opaqueTokenKey } from '../../../shared/contract/opaque-token.ts';
import { isSignedByOne, loadKeys, publicKeySet } from '../admin/keys.ts';
import { explain } from '../database/explain.ts';
import { hashOf } from '../registry/opaque-tokens.ts';
import { findToken, listTokens, revokeToken } from '../registry/token-list.ts';
import { minuteOf, printJson, printTable } from './print.ts';
import {
  type Place,
  withAdministrator,
  withAdministratorAndEdge,
  withEdge,
  withPlace,
  withStore,
} from './workplace.ts';

interface ListOptions extends Place {
  readonly account?: string;
  readonly sub?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function addTokenCommands(program: Command): void {
  withPlace(program.command('list'))
    .description('list valid tokens, newest first')
    .option('--account <name>', 'of one account')
    .option('--sub <name>', 'for one subject')
    .option('--all', 'also list tokens that have ended')
    .option('--json', 'as JSON')
    .action(async ({ account, sub, all, json, ...place }: ListOptions) => {
      const found = await withAdministrator(place, (administrator) =>
        listTokens(administrator, { account, subject: sub }),
      );
      const shown = found.filter(({ state }) => all || state === 'good');
      if (json) return printJson(shown);
      printTable(
        [
          ...['token', 'account', 'subject', 'kind', 'form', 'plan', 'state', 'expires', 'ends'],
          ...['last used', 'note'],
        ],
        shown.map((one) => [
          one.id,
          one.accountId,
          one.subject,
          one.kind,
          one.isOpaque ? 'opaque' : 'signed',
          one.plan,
          one.state,
          one.expiresAt === null ? 'never' : minuteOf(one.expiresAt),
          minuteOf(one.revokedAt),
          one.lastUsedAt ?? 'never',
          one.note ?? '',
        ]),
      );
    });

  withPlace(program.command('show'))
    .description('print everything that is recorded about a token, as JSON')
    .argument('<token>', 'its id, or the token itself')
    .action(async (token: string, place: Place) => {
      printJson(await withAdministrator(place, (administrator) => findToken(administrator, token)));
    });

  withEdge(program.command('inspect'))
    .description(
      'print the claims of a token and check its signature; an opaque token is read from the edge store',
    )
    .argument('<token>', 'the token itself')
    .action(async (token: string, place: Place) => {
      if (isOpaqueToken(token)) return printJson({ claims: await publishedClaims(token, place) });
      const { data } = place;
      const content = readToken(token);
      const keySet = createLocalJWKSet({
        keys: [...publicKeySet(await loadKeys(resolve(data))).keys],
      });
      const signature = await jwtVerify(token, keySet).then(
        () => 'good',
        (error: Error) => signatureText(error),
      );
      printJson({ ...content, signature });
    });

  withEdge(program.command('revoke'))
    .description('revoke tokens permanently: writes end at once, reads within two minutes')
    .argument('<token...>', 'ids of the tokens, or their text')
    .action(async (tokens: string[], place: Place) => {
      const failed: string[] = [];
      await withAdministratorAndEdge(place, async (administrator) => {
        const keys = await loadKeys(resolve(place.data));
        const isOurs = (token: string) => isSignedByOne(token, keys, process.env['TOKEN_SECRET']);
        for (const token of tokens) {
          try {
            console.log(`Revoked ${await revokeToken(administrator, token, isOurs)}.`);
          } catch (error) {
            failed.push(explain(error));
          }
        }
        if (failed.length === tokens.length) throw new Error(failed.join('\n'));
      });
      // The other tokens are revoked at the edge too.
      if (failed.length > 0) throw new Error(failed.join('\n'));
    });
}

/** @throws Error if the edge store does not contain the token */
function publishedClaims(token: string, place: Place): Promise<unknown> {
  return withStore(place, async (store) => {
    const claims = await store.get(opaqueTokenKey(hashOf(token)));
    if (claims !== undefined) return JSON.parse(claims);
    throw new Error(
      `This token is unknown to ${store.name}. If npm run tokens -- show finds it, publish it with: npm run tokens -- revocations publish`,
    );
  });
}

/** Why a token is not accepted, in a sentence. */
function signatureText(error: Error): string {
  if (error instanceof errors.JWTExpired) {
    const { exp } = error.payload;
    return `good, but the token expired at ${exp === undefined ? 'an unknown time' : minuteOf(exp * 1000)}`;
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `good, but the claim ${error.claim} has a value that is not accepted`;
  }
  return error instanceof errors.JWKSNoMatchingKey
    ? 'not by any key in this folder (--data); the token is of another service, or its key was retired'
    : 'wrong: the token is incomplete, or was changed after it was signed';
}

function readToken(token: string) {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch {
    throw new Error('This is not a token: a token has three parts, separated by dots.');
  }
}
