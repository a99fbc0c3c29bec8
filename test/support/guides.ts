// The guides as Markdown, and the snippets in them.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, textOf } from './source-files.ts';

export const GUIDES_FOLDER = 'workers/web/docs/guides';

/** The names of the files. */
export const GUIDES = readdirSync(join(ROOT, GUIDES_FOLDER)).filter((name) => name.endsWith('.md'));

export const guideText = (name: string): string => textOf(`${GUIDES_FOLDER}/${name}`);

interface Snippet {
  readonly language: string;
  /** The file after the language; an empty string without a file. */
  readonly path: string;
  readonly text: string;
}

/** The blocks of code of a page. */
export const snippetsOf = (page: string): Snippet[] =>
  [...page.matchAll(/^```(\S*) ?(.*)\n([\s\S]*?)^```/gm)].map(([, language, path, text]) => ({
    language: language!,
    path: path!,
    text: text!,
  }));

/** The commands of a shell snippet, each in one line. */
export const commandsOf = (text: string): string[] =>
  text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
