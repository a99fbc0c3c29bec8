// Documents that stay true: each README names the files of its folder and no others, and every path
// that a document or a comment cites exists.

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, ROOT, sourceFiles, textOf } from './support/source-files.ts';

const AREAS = ['shared', 'workers', 'tiles-build', 'migrations', 'test'];
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...AREAS.flatMap(filesBelow).filter((path) => path.endsWith('.md')),
];
const everyFile = new Set([...AREAS.flatMap(filesBelow), ...readdirSync(ROOT)]);
const everyFolder = new Set(
  [...everyFile].flatMap((path) => [dirname(path), dirname(dirname(path))]),
);

/** What stands between backticks, blocks of code left out. */
function quoted(page: string): string[] {
  const prose = textOf(page).replace(/```[\s\S]*?```/g, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, words]) => words!);
}

/** Made when the project runs, or read from elsewhere: named in documents, absent from a clone. */
const MADE =
  /^(\.data|dist|node_modules|charts|ENC_ROOT|\.\.\/shared|keys|postgres|builds|assets\.json|current\.json|history\.json|region\.json)\b/;

const looksLikePath = (words: string) =>
  /^[\w.@-]+(\/[\w.@-]+)*\/?$/.test(words) &&
  (/\.(ts|md|sql|css|html|toml|json|png)$/.test(words) ||
    /^(shared|workers|tiles-build|migrations|test)\//.test(words)) &&
  !MADE.test(words);

/** A path as it is written beside a file: from there, from the root, or by its last part. */
function exists(cited: string, from: string): boolean {
  const bare = cited.replace(/\/$/, '');
  const places = [normalize(join(dirname(from), bare)), bare];
  if (places.some((path) => everyFile.has(path) || everyFolder.has(path))) return true;
  // Tests are cited without their ending, which tells their kind.
  return [...everyFile].some(
    (path) => path.startsWith(`${bare}.`) || path.startsWith(`${places[0]}.`),
  );
}

describe('documents', () => {
  it.each(pages.filter((page) => basename(page) === 'README.md' && page.includes('/')))(
    '%s names every source file and folder beside it',
    (page) => {
      const folder = dirname(page);
      const words = quoted(page).join(' ');
      const beside = readdirSync(join(ROOT, folder), { withFileTypes: true })
        // What tools leave behind begins with a dot.
        .filter(({ name }) => !name.startsWith('.'))
        .filter((entry) => entry.isDirectory() || /\.(ts|sql)$/.test(entry.name))
        .filter((entry) => !entry.name.endsWith('.d.ts'))
        .map((entry) => entry.name.replace(/\.(ts|sql)$/, ''));
      const isNamed = (name: string) => new RegExp(`(^|[^\\w-])${name}([^\\w-]|$)`).test(words);
      expect(beside.filter((name) => !isNamed(name))).toEqual([]);
    },
  );

  it('cite no path that does not exist', () => {
    const broken = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) =>
        quoted(page)
          .filter(looksLikePath)
          .filter((cited) => !exists(cited, page))
          .map((cited) => `${page}: ${cited}`),
      );
    expect(broken).toEqual([]);
  });

  it('link to nothing that does not exist', () => {
    const broken = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, to]) => to!)
        .filter((to) => !existsSync(join(ROOT, dirname(page), to)))
        .map((to) => `${page}: ${to}`),
    );
    expect(broken).toEqual([]);
  });

  it('documents: in comments cite no path that does not exist', () => {
    const broken = sourceFiles(AREAS).flatMap((path) =>
      [...textOf(path).matchAll(/^\s*(?:\/\/|\*|\/\*\*)(.*)$/gm)]
        .flatMap(([, comment]) => [...comment!.matchAll(/`([^`]+)`/g)].map(([, words]) => words!))
        .filter((words) => /^(shared|workers|tiles-build|migrations|test)\/[\w./-]+$/.test(words))
        .filter((cited) => !exists(cited, path))
        .map((cited) => `${path}: ${cited}`),
    );
    expect(broken).toEqual([]);
  });
});
