// `npm run tokens -- keys …`: manages the signing keys in the data folder.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { sql } from 'drizzle-orm';
import {
  ensureKeys,
  loadKeys,
  newKeyId,
  publicKeySet,
  retireKey,
  rotateKeys,
} from '../admin/keys.ts';
import { recorded } from '../registry/registry.ts';
import { tokensOfKey } from '../registry/token-list.ts';
import { minuteOf } from './print.ts';
import { type Place, withAdministrator, withData, withPlace } from './workplace.ts';

/** Advisory lock for changes of the key file. */
const TURN = sql`SELECT pg_advisory_xact_lock(402, 1)`;

export function addKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('the keys that sign tokens')
    .addHelpText(
      'after',
      `
To change keys: rotate, give the service the public ones, replace tokens (or let them expire),
retire the old key, give the service the public ones again. npm start reads them when it starts;
a deployment has them as a secret:

  npm run --silent tokens -- keys public --data FOLDER | npx wrangler secret put TOKEN_KEYS --env production`,
    );

  withData(keys.command('list', { isDefault: true }))
    .description('ids of the keys; the last one signs')
    .action(async ({ data }: Place) => {
      for (const key of (await loadKeys(resolve(data))).keys) console.log(key.kid);
    });

  withData(keys.command('create'))
    .description('create the first key in a data folder without keys, and print its id')
    .action(async ({ data }: Place) => {
      console.log((await ensureKeys(resolve(data))).keys.at(-1)!.kid);
    });

  withData(keys.command('public'))
    .description('their public parts, as the service takes them in TOKEN_KEYS')
    .action(async ({ data }: Place) => {
      console.log(JSON.stringify(publicKeySet(await loadKeys(resolve(data)))));
    });

  withPlace(keys.command('rotate'))
    .description('add a key that signs from now on, and print its id')
    .action(async (place: Place) => {
      await loadKeys(resolve(place.data));
      const kid = await withAdministrator(place, (administrator) =>
        recorded(administrator, async (tx, writeDown) => {
          await tx.execute(TURN);
          // The file is written last, so that there is no change without an audit entry.
          const keyId = newKeyId();
          await writeDown({ act: 'key rotate', detail: { keyId } });
          await rotateKeys(resolve(place.data), keyId);
          return keyId;
        }),
      );
      console.log(kid);
    });

  withPlace(keys.command('retire'))
    .description('end a key and every token signed with it')
    .argument('<kid>')
    .option('--force', 'retire the key even if tokens that it signed are still valid')
    .action(async (kid: string, { force, ...place }: Place & { force?: boolean }) => {
      await withAdministrator(place, async (administrator) => {
        const { number, lastExpiresAt } = await tokensOfKey(administrator, kid);
        if (number > 0 && !force) {
          const last = lastExpiresAt === null ? 'for ever' : `until ${minuteOf(lastExpiresAt)}`;
          throw new Error(
            `${number} of its tokens are good, the last ${last}. Replace them with npm run tokens -- rotate, or use --force.`,
          );
        }
        await recorded(administrator, async (tx, writeDown) => {
          await tx.execute(TURN);
          await writeDown({ act: 'key retire', detail: { keyId: kid, tokensEnded: number } });
          await retireKey(resolve(place.data), kid);
        });
      });
    });
}
