// Runs `charts` in the process of the test.

import { runCommandLine } from '../../tiles-build/commands/command-line.ts';

/** Run a command; `out` and `notes` are its output on the two streams. */
export async function charts(...words: string[]) {
  const out: string[] = [];
  const notes: string[] = [];
  const code = await runCommandLine(words, {
    out: (line) => out.push(line),
    note: (line) => notes.push(line),
    isTerminal: false,
  });
  return { code, out: out.join('\n'), notes: notes.join('\n') };
}
