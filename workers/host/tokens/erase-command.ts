// `npm run tokens -- erase`: a person's data, for good.

import type { Command } from 'commander';
import { savedStylesKey } from '../../../shared/contract/saved-style.ts';
import { erase, isWholeAccount, type Person, type Traces, tracesOf } from '../registry/erase.ts';
import { type Place, withAdministrator, withAdministratorAndEdge, withEdge } from './workplace.ts';

interface EraseOptions extends Place {
  readonly account: string;
  readonly subject?: string;
  readonly externalUser?: string;
  readonly yes?: boolean;
}

export function addEraseCommand(program: Command): void {
  withEdge(program.command('erase'))
    .description('erase a person’s data; without --yes, tell what there is')
    .requiredOption('--account <name>', 'theirs; alone, everything of the account')
    .option('--subject <name>', 'everything of one subject, as in mint --sub; ends its tokens')
    .option('--external-user <id>', 'everything of one externalUserId')
    .option('--yes', 'do it')
    .addHelpText(
      'after',
      `
Reports keep their id, kind, place and votes, and lose text, owner and externalUserId. Votes go on
counting, without a name. Tracks of soundings are deleted; so are the account's styles when the whole
account is erased, whose name stays. The audit trail says how much was erased, and not whose it was.
Backups, such as the history of Neon, forget in their own time.`,
    )
    .action(async ({ account, subject, externalUser, yes, ...place }: EraseOptions) => {
      const person: Person = { account, subject, externalUser };
      if (!yes) {
        console.log(
          `There are ${inWords(await withAdministrator(place, ({ registry }) => tracesOf(registry, person)))}.`,
        );
        console.log('Nothing was erased; say --yes to do it.');
        return;
      }
      const traces = await withAdministratorAndEdge(place, async (administrator, store) => {
        const erased = await erase(administrator, person);
        if (isWholeAccount(person)) await store.delete(savedStylesKey(account));
        return erased;
      });
      console.log(`Erased: ${inWords(traces)}.`);
    });
}

function inWords({ reports, votes, tracks, tokens, styles }: Traces): string {
  return `${reports} reports, ${votes} votes, ${tracks} tracks, ${tokens} tokens, ${styles} styles`;
}
