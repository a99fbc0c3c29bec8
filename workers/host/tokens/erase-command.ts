// `npm run tokens -- erase`: a person's data, for good.

import type { Command } from 'commander';
import type { Traces } from '../../../shared/contract/erasure.ts';
import { savedStylesKey } from '../../../shared/contract/saved-style.ts';
import { erase, opaqueKeysOf, type Person, tracesOf } from '../registry/erase.ts';
import { type Place, withAdministrator, withAdministratorAndEdge, withEdge } from './workplace.ts';

interface EraseOptions extends Place {
  readonly account: string;
  readonly subject?: string;
  readonly externalUser?: string;
  readonly yes?: boolean;
}

export function addEraseCommand(program: Command): void {
  withEdge(program.command('erase'))
    .description('erase a person’s data; without --yes, only count it')
    .requiredOption(
      '--account <name>',
      'account of the person; without other options, all data of the account',
    )
    .option('--subject <name>', 'all data of one subject, as in mint --sub; ends its tokens')
    .option('--external-user <id>', 'all data of one externalUserId')
    .option('--yes', 'erase the data')
    .addHelpText(
      'after',
      `
Reports keep their id, kind, place and votes, and lose their text, owner and externalUserId. Votes are
kept without a name. Tracks of soundings are deleted. If the whole account is erased, its saved styles
are deleted and its name is kept. The audit trail records how much was erased, but not whose data.
Backups, such as the history of Neon, keep the data until they expire.`,
    )
    .action(async ({ account, subject, externalUser, yes, ...place }: EraseOptions) => {
      const person: Person = { account, subject, externalUser };
      if (!yes) {
        console.log(
          `There are ${inWords(await withAdministrator(place, ({ registry }) => tracesOf(registry, person)))}.`,
        );
        console.log('Nothing was erased. To erase it, use --yes.');
        return;
      }
      const traces = await withAdministratorAndEdge(place, async (administrator, store) => {
        // Before the registry forgets the subject. If a deletion fails, the command can be repeated.
        for (const key of await opaqueKeysOf(administrator.registry, person))
          await store.delete(key);
        const erased = await erase(administrator, person);
        const isWholeAccount = subject === undefined && externalUser === undefined;
        if (isWholeAccount) await store.delete(savedStylesKey(account));
        return erased;
      });
      console.log(`Erased: ${inWords(traces)}.`);
    });
}

const inWords = ({ reports, votes, tracks, tokens, styles, blocks, users }: Traces): string =>
  `${reports} reports, ${votes} votes, ${tracks} tracks, ${tokens} tokens, ${styles} styles, ${blocks} blocks, ${users} users`;
