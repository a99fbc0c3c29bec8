// `npm run charts -- …`: passes the arguments to the command line and the streams to its output.

import { endIfOutputFails } from '../shared/contract/command-program.ts';
import { runCommandLine } from './commands/command-line.ts';

endIfOutputFails(process);

process.exitCode = await runCommandLine(process.argv.slice(2), {
  out: (line) => console.log(line),
  note: (line) => console.error(line),
  isTerminal: process.stderr.isTTY === true,
});
