// `npm run tokens -- account …`: who may have tokens, and with what rights.

import type { Command } from 'commander';
import {
  changeAccount,
  countExcessTokens,
  createAccount,
  endTokens,
  listAccounts,
  resumeAccount,
  suspendAccount,
} from '../registry/accounts.ts';
import { planOf } from './option-values.ts';
import { minuteOf, printJson, printTable } from './print.ts';
import {
  type Place,
  withAdministrator,
  withAdministratorAndEdge,
  withEdge,
  withPlace,
} from './workplace.ts';

export function addAccountCommands(program: Command): void {
  const accounts = program
    .command('account')
    .description('who may have tokens, and with what rights');

  withPlace(accounts.command('create'))
    .description('create an account; do not use a person’s name, because it is kept forever')
    .argument('<account>', 'a–z, 0–9, dot, dash and underscore')
    .option('--plan <plan>', 'standard or enterprise', planOf, 'standard' as const)
    .option('--pilot', 'its tokens may plan routes', false)
    .option('--admin', 'its tokens may be administrators’', false)
    .option('--note <text>', 'a note for administrators')
    .action(async (id: string, { plan, pilot, admin, note, ...place }) => {
      const rights = { plan, pilot, admin, note: note ?? null };
      await withAdministrator(place, (administrator) => createAccount(administrator, id, rights));
      console.log(
        `Account ${id} is created. Next: npm run tokens -- mint --account ${id} --sub NAME`,
      );
    });

  withPlace(accounts.command('list', { isDefault: true }))
    .description('all accounts')
    .option('--json', 'as JSON')
    .action(async ({ json, ...place }: Place & { json?: boolean }) => {
      const all = await withAdministrator(place, listAccounts);
      if (json) return printJson(all);
      printTable(
        ['account', 'plan', 'pilot', 'admin', 'generation', 'state', 'made', 'note'],
        all.map((one) => [
          one.id,
          one.plan,
          one.pilot ? 'yes' : '',
          one.admin ? 'yes' : '',
          one.generation,
          stateOf(one),
          minuteOf(one.createdAt),
          one.note ?? '',
        ]),
      );
    });

  withPlace(accounts.command('set'))
    .description('change what an account’s tokens may be given from now on')
    .argument('<account>')
    .option('--plan <plan>', 'standard or enterprise', planOf)
    .option('--pilot', 'its tokens may plan routes')
    .option('--no-pilot', 'they may not')
    .option('--admin', 'its tokens may be administrators’')
    .option('--no-admin', 'they may not')
    .option('--note <text>', 'a note for administrators')
    .action(async (id: string, { plan, pilot, admin, note, ...place }) => {
      const given = Object.entries({ plan, pilot, admin, note });
      const rights = Object.fromEntries(given.filter(([, value]) => value !== undefined));
      if (Object.keys(rights).length === 0)
        throw new Error('Expected at least one option to change; see --help.');
      await withAdministrator(place, async (administrator) => {
        const excess = await countExcessTokens(
          administrator,
          await changeAccount(administrator, id, rights),
        );
        if (excess === 0) return;
        const remedy = `npm run tokens -- account end-tokens ${id}`;
        console.error(
          `${excess} of its tokens have more rights than that. To end all tokens of the account: ${remedy}`,
        );
      });
    });

  withEdge(accounts.command('suspend'))
    .description('stop all its tokens: writes at once, reads within two minutes')
    .argument('<account>')
    .action(async (id: string, place: Place) => {
      const isNews = await withAdministratorAndEdge(place, (administrator) =>
        suspendAccount(administrator, id),
      );
      console.log(isNews ? `Account ${id} is suspended.` : `Account ${id} was suspended already.`);
    });

  withEdge(accounts.command('resume'))
    .description('let its tokens work again')
    .argument('<account>')
    .action(async (id: string, place: Place) => {
      const isNews = await withAdministratorAndEdge(place, (administrator) =>
        resumeAccount(administrator, id),
      );
      console.log(isNews ? `Account ${id} is resumed.` : `Account ${id} was not suspended.`);
    });

  withEdge(accounts.command('end-tokens'))
    .description('end every token issued so far; the account can issue new ones')
    .argument('<account>')
    .action(async (id: string, place: Place) => {
      const generation = await withAdministratorAndEdge(place, (administrator) =>
        endTokens(administrator, id),
      );
      console.log(`All tokens of ${id} have ended; new ones are of generation ${generation}.`);
    });
}

function stateOf(account: { suspendedAt: number | null; erasedAt: number | null }): string {
  if (account.erasedAt !== null) return 'erased';
  return account.suspendedAt === null ? 'good' : 'suspended';
}
