// Commands in the documents: each uses an existing script and only options that its help describes.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../tiles-build/commands/command-line.ts';
import { runLeadline } from '../workers/host/serve/program.ts';
import { runTokens } from '../workers/host/tokens/program.ts';
import { captured } from './support/captured.ts';
import { PROGRAMS, scriptOf } from './support/programs.ts';
import { filesBelow, ROOT, textOf } from './support/source-files.ts';

const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md') && name !== 'BENCHMARKS.md'),
  ...['shared', 'workers', 'tiles-build', 'migrations', 'test']
    .flatMap(filesBelow)
    .filter((path) => path.endsWith('.md')),
];
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** Scripts that run one file of this project, which has a help text. */
const OWN_COMMANDS = Object.entries(scripts).flatMap(([name, line]) => {
  const file = /^tsx (\S+)$/.exec(line)?.[1];
  return file === undefined || name === 'pictures' ? [] : [[name, file] as const];
});

interface Shown {
  readonly page: string;
  readonly script: string;
  readonly words: readonly string[];
}

/** Every `npm run NAME …`, `npm start …` and `npm test …` in the documents. */
function shownCommands(): Shown[] {
  return PAGES.flatMap((page) =>
    [
      ...textOf(page).matchAll(/npm (?:run (?:--silent )?([\w:-]+)|(start|test))([^`\n#|&)]*)/g),
    ].map(([, named, short, rest]) => ({
      page,
      script: (named ?? short)!,
      words: rest!.split('--help')[0]!.trim().split(/\s+/),
    })),
  );
}

/** Runs a command in a separate process, like `npm run`. */
function run(file: string, ...words: string[]) {
  const program = PROGRAMS.find((path) => path === file);
  // Programs that are not bundled for tests are loaded by tsx, which takes a second longer.
  const start = program === undefined ? ['--import', 'tsx', join(ROOT, file)] : [scriptOf(program)];
  return spawnSync(process.execPath, [...start, ...words], { encoding: 'utf8', cwd: ROOT });
}

type Within = (words: readonly string[]) => Promise<number>;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Commands with many subcommands, whose help is printed in this process, which is much faster. */
const WITHIN: Readonly<Record<string, Within>> = {
  charts: (words) => runCommandLine(words, { out: print, note: print, isTerminal: false }),
  tokens: runTokens,
  leadline: runLeadline,
};

/** The help of a subcommand. */
async function helpOfWords(script: string, file: string, words: string[]): Promise<string> {
  const within = WITHIN[script];
  if (within === undefined) return run(file, ...words, '--help').stdout;
  return (await captured(() => within([...words, '--help']))).out;
}

/** The help of a command and of its subcommands. */
async function helpOf(script: string, file: string): Promise<string> {
  const { stdout, stderr, status } = run(file, '--help');
  expect(status, `${file} --help: ${stderr}`).toBe(0);
  const texts = [stdout];
  const addSubcommands = async (parent: string[], help: string): Promise<void> => {
    for (const word of subcommandsIn(help)) {
      const words = [...parent, word];
      const text = await helpOfWords(script, file, words);
      const command = [script, ...words].join(' ');
      expect(text, `${command} --help`).toContain(`Usage: ${command}`);
      texts.push(text);
      await addSubcommands(words, text);
    }
  };
  await addSubcommands([], stdout);
  return texts.join('\n');
}

function subcommandsIn(help: string): string[] {
  const listed = /\nCommands:\n([\s\S]*?)(\n\n|$)/.exec(help)?.[1] ?? '';
  const words = [...listed.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, word]) => word!);
  return words.filter((word) => word !== 'help');
}

describe('commands in the documents', () => {
  const shown = shownCommands();

  it('name scripts of package.json', () => {
    expect(shown.length).toBeGreaterThan(20);
    const unknown = shown.filter(({ script }) => !Object.hasOwn(scripts, script));
    expect(unknown.map(({ page, script }) => `${page}: npm run ${script}`)).toEqual([]);
  });

  it('name tests that exist', () => {
    const paths = shown
      .flatMap(({ page, words }) => words.map((word) => ({ page, word })))
      .filter(({ word }) => word.startsWith('test/'));
    expect(paths.length).toBeGreaterThan(0);
    const tests = filesBelow('test');
    const lost = paths.filter(
      ({ word }) =>
        !existsSync(join(ROOT, word)) && !tests.some((path) => path.startsWith(`${word}.`)),
    );
    expect(lost).toEqual([]);
  });

  it.each(OWN_COMMANDS)('use only options in the help of "%s"', async (script, file) => {
    const used = shown
      .filter((one) => one.script === script)
      .flatMap(({ page, words }) =>
        words
          .filter((word) => /^--[a-z]/.test(word))
          .map((word) => ({ page, option: word.split('=')[0]! })),
      );
    const help = await helpOf(script, file);
    expect(help).toMatch(/Usage|npm run|Options/i);
    expect(used.filter(({ option }) => !help.includes(option))).toEqual([]);
  });

  it.each(OWN_COMMANDS)(
    'report a mistyped option in one sentence without a stack trace: npm run %s',
    (name, file) => {
      const { stderr, status } = run(file, '--mistyped');
      expect(status, name).not.toBe(0);
      expect(stderr.trim()).toBe("error: unknown option '--mistyped'");
    },
  );
});

it.each(['tiles-build/cli.ts', 'workers/host/tokens/cli.ts', 'workers/host/serve/cli.ts'])(
  '%s prints no error if the reader closes its output',
  (file) => {
    const line = 'set -o pipefail; "$0" --import tsx "$1" --help | true';
    const { status, stderr } = spawnSync('bash', ['-c', line, process.execPath, join(ROOT, file)], {
      encoding: 'utf8',
      cwd: ROOT,
    });
    expect([status, stderr]).toEqual([141, '']);
  },
);
