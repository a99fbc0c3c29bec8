// The `charts` program as a function from arguments to an exit code, which tests can call.

import { Command, CommanderError } from 'commander';
import { refuseEmptyOptions } from '../../shared/contract/command-program.ts';
import { systemErrorText } from '../../shared/contract/system-error.ts';
import { isSystemError } from '../archive/system-error.ts';
import { addBuildCommand } from './build.ts';
import { addCrowdCommand } from './crowd.ts';
import { addDemoCommand } from './demo.ts';
import { CommandEnd, type CommandOutput, EXIT, EXIT_MEANINGS } from './exit.ts';
import { addExtractCommand } from './extract.ts';
import { addFetchCommand } from './fetch.ts';
import { addInspectCommand } from './inspect.ts';
import { addPermitCommand } from './permit.ts';
import { addPublishCommands } from './publish.ts';
import { addSyncCommand } from './sync.ts';
import { addWorkCommand } from './work.ts';

/** Run one command. Never throws. @returns the exit code */
export async function runCommandLine(
  args: readonly string[],
  output: CommandOutput,
): Promise<number> {
  const program = new Command('charts')
    .description('Make charts from ENC cells and publish them. Charts are not for navigation.')
    .exitOverride()
    .hook('preAction', (_, command) => refuseEmptyOptions(command))
    .configureOutput({
      writeOut: (text) => output.out(text.trimEnd()),
      writeErr: (text) => output.note(text.trimEnd()),
    })
    .addHelpText('after', `\n${exitCodeTable()}`);
  addBuildCommand(program, output);
  addDemoCommand(program, output);
  addInspectCommand(program, output);
  addExtractCommand(program, output);
  addFetchCommand(program, output);
  addPermitCommand(program, output);
  addPublishCommands(program, output);
  addSyncCommand(program, output);
  addCrowdCommand(program, output);
  addWorkCommand(program, output, (args, own = output) => runCommandLine(args, own));

  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    output.note(systemErrorText(error) ?? (error instanceof Error ? error.message : String(error)));
    if (error instanceof CommandEnd) return error.exitCode;
    // A stack trace does not help if the disk is full or a folder is read-only.
    if (error instanceof Error && error.stack && !isSystemError(error)) output.note(error.stack);
    return EXIT.failed;
  }
}

function exitCodeTable(): string {
  const rows = EXIT_MEANINGS.map((meaning, code) => `  ${code}  ${meaning}`);
  return ['Exit codes:', ...rows].join('\n');
}
