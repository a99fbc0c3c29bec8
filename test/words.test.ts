// Names say what a thing is: words that only explained by comparison are gone from identifiers, from
// texts that users see and from comments, and do not come back.

import { expect, it } from 'vitest';
import { sourceFiles, textOf } from './support/source-files.ts';

const AREAS = ['shared', 'workers', 'tiles-build'];

/** Whole words of an identifier or a text, in any case, and what to say instead. */
const RETIRED: Readonly<Record<string, string>> = {
  wish: 'options or request',
  wishes: 'options or requests',
  desk: 'handlers, or administrator',
  door: 'proxy, entry, or what it is',
  nobody: 'who is meant: no user, no caller, unknown',
  stranger: 'a client, an unknown user',
  strangers: 'clients, unknown users',
  occasion: 'context',
  workshop: 'the build, or build context',
  laboratory: 'tests',
  charges: 'cost model',
  requireroom: 'enforce the rate limit',
};

/** Identifiers taken apart: `openFaultyDoor` is open, faulty, door. */
function wordsOf(line: string): string[] {
  return line
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase());
}

/** PostgreSQL may not run as root; the account without rights has this name on Unix. */
const UNIX_USER = /'nobody'|`nobody`/;

function retiredIn(text: string): string[] {
  return text.split('\n').flatMap((line, i) => {
    if (UNIX_USER.test(line)) return [];
    const found = wordsOf(line).filter((word) => Object.hasOwn(RETIRED, word));
    return found.map((word) => `${i + 1}: ${word} → ${RETIRED[word]}`);
  });
}

it('words that were retired are found within identifiers, whatever their case', () => {
  expect(retiredIn('const tokenWish = 1;\nopenFaultyDoor();')).toHaveLength(2);
  expect(retiredIn('const idOf = run("id", [flag, \'nobody\']);')).toEqual([]);
});

it('words that were retired stand in no source file, neither as names nor in texts and comments', () => {
  const found = sourceFiles(AREAS).flatMap((path) =>
    retiredIn(textOf(path)).map((line) => `${path}:${line}`),
  );
  expect(found).toEqual([]);
});

it('words that were retired leave "sheet" to the route archive, where it is a stored group of squares', () => {
  // Beside the route folders: the archive of sheets is one of the kinds that are written and described.
  const isRoute = (path: string) =>
    /(^|\/)route(\/|-)/.test(path) ||
    /sheet|pmtiles-writer|describe-archive|code-digest|tilesets\.ts/.test(path);
  const found = sourceFiles(AREAS)
    .filter((path) => !isRoute(path))
    .flatMap((path) =>
      textOf(path)
        .split('\n')
        .filter((line) => !/route/i.test(line))
        // Names of the browser's own.
        .filter((line) => !/\b(CSSStyleSheet|adoptedStyleSheets)\b/.test(line))
        .filter((line) => wordsOf(line).some((word) => /^sheets?$/.test(word)))
        .map((line) => `${path}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

/** With these a sentence goes on: a name that begins so has lost what it speaks of. */
const GOES_ON =
  /^(is|are|has|have|does|do|takes|keeps|says|gives|refuses|leaves|sends|tells|shows|holds|finds|goes|of|that|which|who) /;

it('names of tests say what they speak of, and need nothing around them to be understood', () => {
  const named = /\b(?:it|test|[a-z]+Test)(?:\.\w+(?:\([^\n]*\))?)*\(\s*(['"`])(.*?)\1,/g;
  const found = sourceFiles(['test']).flatMap((path) =>
    [...textOf(path).matchAll(named)]
      .map(([, , name = '']) => name)
      .filter((name) => GOES_ON.test(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(found).toEqual([]);
});
