// What the programs of the command line have in common: they refuse empty options, and end if their output fails.

import { systemErrorText } from './system-error.ts';

/** The parts of a command of the library `commander` that are used here. */
interface ParsedCommand {
  readonly options: readonly { readonly long?: string | undefined; attributeName(): string }[];
  readonly parent: ParsedCommand | null;
  getOptionValue(name: string): unknown;
  getOptionValueSource(name: string): string | undefined;
  error(message: string, details: { readonly code: string }): never;
}

/** The parts of Node's `process` that are used here. */
interface RunningProgram {
  readonly stdout: {
    once(event: 'error', listener: (error: Error & { code?: string }) => void): unknown;
  };
  readonly stderr: {
    on(event: 'error', listener: () => void): unknown;
    write(text: string): unknown;
  };
  exit(code: number): unknown;
}

/**
 * End a command with its usual error if an option is the empty text, as from a variable that is not set.
 * An empty path would name the working directory.
 * @param mayBeEmpty long names of options for which the empty text has a meaning
 */
export function refuseEmptyOptions(
  command: ParsedCommand,
  mayBeEmpty: readonly string[] = [],
): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const value = command.getOptionValue(name);
    const isEmpty = value === '' || (Array.isArray(value) && value.includes(''));
    if (!isEmpty || command.getOptionValueSource(name) !== 'cli') continue;
    if (mayBeEmpty.includes(option.long ?? '')) continue;
    command.error(`error: ${option.long} is empty. Add a value, or remove the option.`, {
      code: 'commander.invalidArgument',
    });
  }
  if (command.parent !== null) refuseEmptyOptions(command.parent, mayBeEmpty);
}

/**
 * End the process if its output fails: quietly, as SIGPIPE would, if the program that reads it, such as
 * `head`, ends first; otherwise with the reason, for example if the disk is full.
 */
export function endIfOutputFails(program: RunningProgram): void {
  // The reason may go to the same full disk.
  program.stderr.on('error', () => undefined);
  program.stdout.once('error', (error) => {
    if (error.code === 'EPIPE') return program.exit(128 + 13);
    const reason = systemErrorText({ code: error.code, path: 'The output' }) ?? error.message;
    program.stderr.write(`${reason}\n`);
    return program.exit(1);
  });
}
