// The producers that a worker refreshes the public charts from: the arguments of `charts sync` for each.

import { JobPostponed } from '../uploads/job-progress.ts';
import type { Producer, Sync } from '../uploads/refresh-cells.ts';
import { UploadRefused } from '../uploads/upload-files.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';

export type RunCommand = (args: readonly string[], output?: CommandOutput) => Promise<number>;

/** Environment variable with the arguments of `charts sync` for each producer, separated by semicolons. */
export const SYNC_VARIABLE = 'LEADLINE_SYNC';

/** The words of a command; `--name=value` is two words. */
const wordsOf = (one: string): string[] =>
  one.split(/\s+|(?<=(?:^|\s)--[\w-]+)=/).filter((word) => word !== '');

/** Folder of a producer, or '' without one. */
const folderOf = (words: readonly string[]): string =>
  (words.includes('--cells') && words[words.indexOf('--cells') + 1]) || '';

/** The producers of the public charts. @throws CommandEnd */
export function producersOf(text: string, run: RunCommand) {
  const commands = text
    .split(';')
    .map(wordsOf)
    .filter((words) => words.length > 0);
  const producers = commands.map(
    (words): Producer => ({ folder: folderOf(words), mayLose: words.includes('--remove-many') }),
  );
  if (commands.some((words) => !/^[^-]/.test(folderOf(words)) || words.includes('--out'))) {
    throw new CommandEnd(
      EXIT.usage,
      `${SYNC_VARIABLE} requires the arguments of charts sync with --cells and without --out for each producer, such as "--cells sources --state WA".`,
    );
  }
  const sync: Sync = async (note) => {
    let isComplete = true;
    for (const words of commands) {
      let last = '';
      const isLocked = () => last.startsWith(`${folderOf(words)} is being `);
      const line = (text: string) => {
        // Without stack traces.
        [last = ''] = text.split('\n');
        if (!isLocked()) note(last);
      };
      const code = await run(['sync', ...words], { out: line, note: line, isTerminal: false });
      // Cells that could not be downloaded are listed and requested again by the next refresh.
      isComplete &&= code === EXIT.ok;
      if (code === EXIT.ok || code === EXIT.missing) continue;
      if (code === EXIT.unavailable && isLocked()) {
        throw new JobPostponed(last, 'Another process uses the folder of a producer.');
      }
      throw code === EXIT.failed ? new Error(last) : new UploadRefused(last);
    }
    return isComplete;
  };
  return { producers, sync: commands.length === 0 ? undefined : sync };
}
