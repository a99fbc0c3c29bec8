// The snippets of the guides are code that runs in a test, and the guides become pages.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildGuides } from '../../workers/host/bundle/build-guides.ts';
import { EXAMPLES, exampleScript } from '../support/examples.ts';
import { commandsOf, GUIDES, guideText, snippetsOf } from '../support/guides.ts';
import { ROOT, textOf } from '../support/source-files.ts';

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** The test that runs a snippet; `undefined` if none does. */
function testOf(guide: string, { language, path, text }: ReturnType<typeof snippetsOf>[number]) {
  // test/e2e/examples.browser.test.ts shows these files in Chromium.
  if (/^test\/examples\//.test(path)) {
    const isWhole = language.startsWith('js');
    const [file, shown] = [textOf(path), text].map(isWhole ? (one) => one.trim() : oneLine);
    return (isWhole ? file === shown : file!.includes(shown!)) ? 'examples' : undefined;
  }
  // test/e2e/first-page.browser.test.ts shows this page.
  if (path === 'test/e2e/own-page.html') return textOf(path) === text ? 'first-page' : undefined;
  if (path !== '') return undefined;
  // test/workers/typescript-client.service.test.ts runs these.
  if (guide === 'generated-clients.md') {
    return ['bash', 'typescript'].includes(language) ? 'typescript-client' : undefined;
  }
  // test/workers/portal-client.service.test.ts runs this.
  if (language === 'typescript' && guide === 'tokens-and-origins.md') return 'portal-client';
  // test/workers/documented-samples.service.test.ts runs these.
  if (language === 'ts') return 'documented-samples';
  if (language === 'sh') {
    return commandsOf(text).every((line) => line.startsWith('curl ') && line.includes('ADDRESS/'))
      ? 'documented-samples'
      : undefined;
  }
  return language === 'json' && guide === 'signal-k.md' ? 'signal-k' : undefined;
}

const snippets = GUIDES.flatMap((guide) =>
  snippetsOf(guideText(guide)).map((snippet) => ({ guide, snippet })),
);
const README = textOf('README.md');

describe('the snippets of the guides', () => {
  it('run in a test', () => {
    const untested = snippets.filter(({ guide, snippet }) => testOf(guide, snippet) === undefined);
    expect(untested).toEqual([]);
    // No block of code escapes the search.
    for (const guide of GUIDES) {
      const fences = guideText(guide).match(/^ *(```|~~~)/gm) ?? [];
      expect([guide, fences.length]).toEqual([guide, 2 * snippetsOf(guideText(guide)).length]);
      // An indented block is code too.
      expect(guideText(guide).replace(/^```[\s\S]*?^```/gm, '')).not.toMatch(/\n\n(?: {4}|\t)/);
    }
  });

  it('show every example', () => {
    const shown = snippets.map(({ snippet }) => snippet.text.trim());
    expect(EXAMPLES.filter((name) => !shown.includes(exampleScript(name).trim()))).toEqual([]);
  });
});

describe('README.md', () => {
  it('shows an example as its sample for apps', () => {
    const shown = snippetsOf(README).filter(({ path }) => path !== '');
    expect(shown.map(({ path }) => path)).toEqual(['test/examples/maplibre/main.js']);
    expect(shown.map((snippet) => testOf('README.md', snippet))).toEqual(['examples']);
  });

  it('names only libraries that have an example', () => {
    const named = /complete projects for ([^|]*) \|/.exec(README)![1]!.split(/, | and /);
    const without = named.filter(
      (name) => !EXAMPLES.some((one) => one.includes(name.toLowerCase().replace('.', '-'))),
    );
    expect(without).toEqual([]);
  });
});

describe('the pages of the guides', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-guides-'));
  const pageOf = (path: string) => readFileSync(join(folder, path), 'utf8');
  beforeAll(() => buildGuides(ROOT, folder));
  afterAll(() => rmSync(folder, { recursive: true }));
  const names = GUIDES.map((file) => file.replace('.md', ''));

  it('are all in the index', () => {
    const index = pageOf('docs/guides.html');
    const listed = [...index.matchAll(/<li><a href="\/docs\/guides\/([\w-]+)"/g)];
    expect(listed.map(([, name]) => name).sort()).toEqual(names.sort());
  });

  it.each(names)('mark the guide and the section, and link to existing guides: %s', (name) => {
    const page = pageOf(`docs/guides/${name}.html`);
    const marked = [...page.matchAll(/href="([^"]+)" aria-current="page"/g)].map(([, to]) => to);
    expect(marked).toEqual(['/docs/guides', `/docs/guides/${name}`]);
    const linked = [...page.matchAll(/href="\/docs\/guides\/([\w-]+)/g)].map(([, to]) => to!);
    expect(linked.filter((to) => !names.includes(to))).toEqual([]);
    expect(page).not.toMatch(/href="[^"]*\.md/);
  });
});
