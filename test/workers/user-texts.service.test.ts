// Texts that users read in error responses, settings and help: each names the cause and the remedy.

import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../../tiles-build/commands/command-line.ts';
import { runLeadline } from '../../workers/host/serve/program.ts';
import { runTokens } from '../../workers/host/tokens/program.ts';
import { REFUSALS } from '../../workers/service/runtime/refusals.ts';
import { SETTINGS } from '../../workers/service/runtime/setting-table.ts';
import { captured } from '../support/captured.ts';

/** Texts of libraries and of JavaScript that mean nothing to a user. */
const RAW = /Invalid input|too (small|big)\b|, received|undefined|\[object|NaN|ENOENT|Error:/i;

describe('error responses', () => {
  it.each(Object.entries(REFUSALS))('%s names the cause and then the remedy', (_, { meaning }) => {
    expect(meaning).toMatch(/^[A-Z`][^.]+\. [A-Z`][\s\S]+\.$/);
    expect(meaning).not.toMatch(RAW);
  });
});

describe('settings', () => {
  it.each(Object.entries(SETTINGS))('%s have accepted values with an example', (_, setting) => {
    expect(setting.expected).toMatch(/^[^,].*for example \S/);
    expect(setting.description.length).toBeGreaterThan(10);
    expect(`${setting.values} ${setting.expected} ${setting.description}`).not.toMatch(RAW);
  });
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const COMMANDS = {
  charts: (words: readonly string[]) =>
    runCommandLine(words, { out: print, note: print, isTerminal: false }),
  tokens: runTokens,
  leadline: runLeadline,
};

/** Subcommands and options of a help text, each with its description. */
const entriesOf = (help: string) =>
  [...help.matchAll(/^ {2}(-{1,2}\S.*?|[a-z][\w-]*.*?)(?: {2,}(\S.*))?$/gm)].map(
    ([, name, description]) => [name!, description ?? ''] as const,
  );

describe.each(Object.entries(COMMANDS))('the help of %s', (_, run) => {
  const helpOf = async (...words: string[]) =>
    (await captured(() => run([...words, '--help']))).out;

  it('describes every subcommand and option', async () => {
    const main = await helpOf();
    const listed = /\nCommands:\n([\s\S]*?)(\n\n|$)/.exec(main)?.[1] ?? '';
    const names = entriesOf(listed).map(([name]) => name.split(' ')[0]!);
    const pages = [
      main,
      ...(await Promise.all(names.filter((n) => n !== 'help').map((n) => helpOf(n)))),
    ];
    expect(pages.length).toBeGreaterThan(3);
    for (const page of pages) {
      expect(page).not.toMatch(RAW);
      const options = /\nOptions:\n([\s\S]*?)(\n\n|$)/.exec(page)?.[1] ?? '';
      expect(options).toContain('--help');
      expect(entriesOf(options).filter(([, description]) => description === '')).toEqual([]);
    }
  });
});
