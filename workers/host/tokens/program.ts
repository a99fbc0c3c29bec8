// All commands of `npm run tokens` together, and how they end: with a code, and a sentence where it
// is not 0.

import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './account-commands.ts';
import { addEraseCommand } from './erase-command.ts';
import { explain } from './explain.ts';
import { addKeyCommands } from './key-commands.ts';
import { addMintCommands } from './mint-commands.ts';
import { addRecordCommands } from './record-commands.ts';
import { addTokenCommands } from './token-commands.ts';

const WHERE = `
On this machine, nothing need be said: the database, the keys and the list of stopped tokens are
those of npm start (--data), whether it runs or not.
Beside a self-hosted service, set LEADLINE_DATA and DATABASE_OWNER_URL as for the service.
For a deployment, set DATABASE_OWNER_URL (or DATABASE_URL) to the database with its owner's login, say
with --data where the keys that sign are kept, and add --remote to what the edge must be told; wrangler
must be logged in.`;

/** Run the command with these words. @returns the code to end with */
export async function runTokens(words: readonly string[]): Promise<number> {
  const program = new Command('tokens')
    .description('Accounts and tokens of a Leadline service, and the keys that sign them.')
    .addHelpText('after', WHERE)
    // Settings that commands added later take over.
    .exitOverride();
  addMintCommands(program);
  addTokenCommands(program);
  addAccountCommands(program);
  addKeyCommands(program);
  addRecordCommands(program);
  addEraseCommand(program);
  try {
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    // The library has said already what is wrong with the words.
    if (error instanceof CommanderError) return error.exitCode;
    console.error(explain(error));
    return 1;
  }
}
