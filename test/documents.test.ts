// Each README names all files of its folder, and every path in a document or a comment exists.

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, importsOf, ROOT, sourceFiles, textOf } from './support/source-files.ts';

const AREAS = ['shared', 'workers', 'tiles-build', 'migrations', 'test'];
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...AREAS.flatMap(filesBelow).filter((path) => path.endsWith('.md')),
];
const everyFile = new Set([...AREAS.flatMap(filesBelow), ...readdirSync(ROOT)]);
const everyFolder = new Set(
  [...everyFile].flatMap((path) => [dirname(path), dirname(dirname(path))]),
);

/** The texts between backticks, without blocks of code. */
function quoted(page: string): string[] {
  const prose = textOf(page).replace(/```[\s\S]*?```/g, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, words]) => words!);
}

/** Files that the project generates or reads from elsewhere: they are absent from a clone. */
const MADE =
  /^(\.data|dist|node_modules|charts|ENC_ROOT|\.\.\/shared|keys|postgres|builds|crowd|assets\.json|current\.json|history\.json|pruning-ID\.json|region\.json)\b/;

const looksLikePath = (words: string) =>
  /^[\w.@-]+(\/[\w.@-]+)*\/?$/.test(words) &&
  (/\.(ts|md|sql|css|html|toml|json|png)$/.test(words) ||
    /^(shared|workers|tiles-build|migrations|test)\//.test(words)) &&
  !MADE.test(words);

/** Whether a path exists relative to the citing file or to the root. */
function exists(cited: string, from: string): boolean {
  const bare = cited.replace(/\/$/, '');
  const places = [normalize(join(dirname(from), bare)), bare];
  if (places.some((path) => everyFile.has(path) || everyFolder.has(path))) return true;
  // Tests are cited without their ending, which states their kind.
  return [...everyFile].some(
    (path) => path.startsWith(`${bare}.`) || path.startsWith(`${places[0]}.`),
  );
}

describe('documents', () => {
  it.each(pages.filter((page) => basename(page) === 'README.md' && page.includes('/')))(
    '%s names every source file and folder next to it',
    (page) => {
      const folder = dirname(page);
      const words = quoted(page).join(' ');
      const entries = readdirSync(join(ROOT, folder), { withFileTypes: true })
        // Files of tools begin with a dot.
        .filter(({ name }) => !name.startsWith('.'))
        .filter((entry) => entry.isDirectory() || /\.(ts|sql)$/.test(entry.name))
        .filter((entry) => !entry.name.endsWith('.d.ts'))
        .map((entry) => entry.name.replace(/\.(ts|sql)$/, ''));
      const isNamed = (name: string) => new RegExp(`(^|[^\\w-])${name}([^\\w-]|$)`).test(words);
      expect(entries.filter((name) => !isNamed(name))).toEqual([]);
    },
  );

  it('list every test that has a long run', () => {
    const listed = quoted('test/long-runs.md');
    const long = [...everyFile].filter(
      (path) => path.endsWith('.test.ts') && importsOf(path).includes('test/support/long-run.ts'),
    );
    expect(long.filter((path) => !listed.includes(path.replace('test/', '')))).toEqual([]);
  });

  it('cite only existing paths', () => {
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

  it('link only to existing files', () => {
    const broken = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\]\((?!https?:|#|\/)([^)#]+)/g)]
        .map(([, to]) => to!)
        .filter((to) => !existsSync(join(ROOT, dirname(page), to)))
        .map((to) => `${page}: ${to}`),
    );
    expect(broken).toEqual([]);
  });
});

it('comments cite only existing paths', () => {
  const broken = sourceFiles(AREAS).flatMap((path) =>
    [...textOf(path).matchAll(/^\s*(?:\/\/|\*|\/\*\*)(.*)$/gm)]
      .flatMap(([, comment]) => [...comment!.matchAll(/`([^`]+)`/g)].map(([, words]) => words!))
      .filter((words) => /^(shared|workers|tiles-build|migrations|test)\/[\w./-]+$/.test(words))
      .filter((cited) => !exists(cited, path))
      .map((cited) => `${path}: ${cited}`),
  );
  expect(broken).toEqual([]);
});
