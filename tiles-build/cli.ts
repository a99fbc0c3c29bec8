// `npm run charts -- …`: passes the arguments to the command line and the streams to its output.

import { runCommandLine } from './commands/command-line.ts';

// As SIGPIPE would, if the program that reads the output, such as `head`, ends first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(128 + 13);
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  out: (line) => console.log(line),
  note: (line) => console.error(line),
  isTerminal: process.stderr.isTTY === true,
});
