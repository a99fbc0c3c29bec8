// The `npm run tokens` program: all subcommands, and the exit code and message of an error.

import { Command, CommanderError } from 'commander';
import { refuseEmptyOptions } from '../../../shared/contract/command-program.ts';
import { explain } from '../database/explain.ts';
import { addAccountCommands } from './account-commands.ts';
import { addEraseCommand } from './erase-command.ts';
import { addKeyCommands } from './key-commands.ts';
import { addMintCommands } from './mint-commands.ts';
import { addRecordCommands } from './record-commands.ts';
import { addTokenCommands } from './token-commands.ts';
import { addUserCommands } from './user-commands.ts';

const WHERE = `
By default, the commands use the database, keys and revocation list of npm start. It need not run.
For a self-hosted service, set LEADLINE_DATA and DATABASE_OWNER_URL to the service's values.
For a deployment, set DATABASE_OWNER_URL (or DATABASE_URL) to the owner's login, set --data to the
folder of the signing keys, and use --remote and CLOUDFLARE_ENV=production (or staging) with commands
that stop tokens. wrangler must be logged in.`;

/** Run the command with these arguments. @returns the exit code */
export async function runTokens(args: readonly string[]): Promise<number> {
  const program = new Command('tokens')
    .description('Accounts and tokens of a Leadline service, and the keys that sign them.')
    .addHelpText('after', WHERE)
    // An empty note deletes the note of an account.
    .hook('preAction', (_, command) => refuseEmptyOptions(command, ['--note']))
    // Before the subcommands, which inherit it.
    .exitOverride();
  addMintCommands(program);
  addTokenCommands(program);
  addAccountCommands(program);
  addKeyCommands(program);
  addUserCommands(program);
  addRecordCommands(program);
  addEraseCommand(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the message.
    if (error instanceof CommanderError) return error.exitCode;
    console.error(explain(error));
    return 1;
  }
}
