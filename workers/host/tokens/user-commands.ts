// `npm run tokens -- user …`: users who sign in to the portal.

import { type Command, Option } from 'commander';
import { PORTAL_ROLES } from '../../../shared/contract/portal.ts';
import { expectedValue } from '../../service/runtime/setting-texts.ts';
import { isHttpUrl, variable } from '../database/operator-variables.ts';
import {
  createLink,
  createUser,
  listUsers,
  resetUser,
  signInLink,
  suspendUser,
} from '../registry/portal-users.ts';
import { minuteOf, printJson, printTable } from './print.ts';
import { type Place, withAdministrator, withPlace } from './workplace.ts';

export function addUserCommands(program: Command): void {
  const users = program.command('user').description('users who sign in to the portal');

  withPlace(users.command('create'))
    .description('create a user, and print a one-time sign-in link')
    .argument('<email>')
    .requiredOption('--account <name>', 'account of the user')
    .addOption(
      new Option('--role <role>', 'rights of the user').choices(PORTAL_ROLES).default('member'),
    )
    .action(async (email: string, { account, role, ...place }) => {
      const address = serviceAddress();
      printLink(
        address,
        await withAdministrator(place, async (administrator) => {
          await createUser(administrator, { email, account, role });
          return createLink(administrator, email);
        }),
      );
    });

  withPlace(users.command('list', { isDefault: true }))
    .description('all users')
    .option('--json', 'as JSON')
    .action(async ({ json, ...place }: Place & { json?: boolean }) => {
      const all = await withAdministrator(place, listUsers);
      if (json) return printJson(all);
      printTable(
        ['user', 'account', 'role', 'state', 'made'],
        all.map((one) => [
          ...[one.email, one.accountId, one.role],
          ...[one.suspendedAt === null ? 'good' : 'suspended', minuteOf(one.createdAt.getTime())],
        ]),
      );
    });

  withPlace(users.command('reset'))
    .description('end the sessions of a user, remove the password, and print a sign-in link')
    .argument('<email>')
    .action(async (email: string, place: Place) => {
      const address = serviceAddress();
      printLink(
        address,
        await withAdministrator(place, (administrator) => resetUser(administrator, email)),
      );
    });

  for (const suspends of [true, false]) {
    withPlace(users.command(suspends ? 'suspend' : 'resume'))
      .description(
        suspends ? 'end the sessions of a user, and refuse to sign in' : 'let a user sign in again',
      )
      .argument('<email>')
      .action(async (email: string, place: Place) => {
        const isNews = await withAdministrator(place, (administrator) =>
          suspendUser(administrator, email, suspends),
        );
        const state = suspends ? 'is suspended' : 'is not suspended';
        console.log(`User ${email} ${state}${isNews ? '' : ': no change'}.`);
      });
  }
}

/** Read before anything changes, because a link cannot be printed again. @throws Error if it is not a URL */
function serviceAddress(): string {
  const given = variable('PUBLIC_URL');
  const address = given ?? `http://127.0.0.1:${variable('PORT') ?? 8787}`;
  if (isHttpUrl(address)) return address;
  throw new Error(expectedValue(given === undefined ? 'PORT' : 'PUBLIC_URL'));
}

/** The link to standard output, for scripts, and its use to standard error. */
function printLink(address: string, token: string): void {
  console.log(signInLink(address, token));
  console.error(
    'It works once, within a day. PUBLIC_URL sets the address of the service in this link.',
  );
}
