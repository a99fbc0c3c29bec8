// `charts permit`: prints the user permit of the installation, and checks permit files.

import type { Command } from 'commander';
import { dashed } from '../s63/days.ts';
import { userPermit } from '../s63/identity.ts';
import { type CellPermit, joinPermits } from '../s63/permits.ts';
import { dateProblems } from '../s63/unlock-cell.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';
import {
  identityOf,
  licenceDateOption,
  readPermits,
  S63_HELP,
  type S63Options,
  todayOf,
} from './s63-options.ts';

export function addPermitCommand(program: Command, output: CommandOutput): void {
  program
    .command('permit')
    .description('print the user permit (S-63), with which a chart supplier makes cell permits')
    .argument('[files...]', 'permit files to check, such as PERMIT.TXT or ENC.PMT')
    .addOption(licenceDateOption())
    .addHelpText('after', S63_HELP)
    .action((files: readonly string[], options: S63Options) =>
      printPermits(files, options, output),
    );
}

/** @throws CommandEnd with the code `refused` if a permit is invalid */
function printPermits(files: readonly string[], options: S63Options, output: CommandOutput): void {
  const identity = identityOf();
  output.out(`User permit: ${userPermit(identity)}`);
  if (files.length === 0) return;
  const read = readPermits(files, identity);
  const today = todayOf(options);
  for (const permit of joinPermits(read).all) output.out(lineOf(permit, today));
  const refused = read.flatMap((file) => [...file.refused.values()]);
  for (const { file, message } of refused) output.note(`${file}: ${message}`);
  if (refused.length === 0) return;
  const count = refused.length === 1 ? '1 permit is' : `${refused.length} permits are`;
  throw new CommandEnd(EXIT.refused, `${count} invalid and not used.`);
}

function lineOf(permit: CellPermit, today: string): string {
  const server = permit.dataServer === '' ? 'any data server' : `data server ${permit.dataServer}`;
  const kind = permit.isSubscription ? 'subscription' : 'single purchase';
  // The first warning is about the permit; SSE 25 is about the chart.
  const [warning] = dateProblems(permit, today);
  return `${permit.cell}: ${server}, ${kind} until ${dashed(permit.expires)}${warning === undefined ? '' : `. ${warning.message}`}`;
}
