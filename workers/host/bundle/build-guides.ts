// The guides of `workers/web/docs/guides` as pages below /docs/guides. They work without JavaScript.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { escaped } from '../../service/http/escape-html.ts';
import { pageNavigation } from '../../service/http/page-navigation.ts';

/** The order of the index. Other guides follow, sorted by name. */
const ORDER = [
  ...['quick-start', 'maplibre', 'react', 'leaflet', 'openlayers', 'deck-gl-and-cesium'],
  ...['maplibre-native', 'signal-k', 'tokens-and-origins', 'styles-and-parameters'],
  ...[
    'offline-regions',
    'reports-and-votes',
    'soundings',
    'depths-from-the-crowd',
    'routing',
    'generated-clients',
  ],
  ...['errors', 'rate-limits'],
];
const INDEX = '/docs/guides';

interface Guide {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** Write a page for each guide, and the index. */
export async function buildGuides(root: string, assetsDir: string): Promise<void> {
  const guides = await readGuides(join(root, 'workers/web/docs/guides'));
  const target = join(assetsDir, INDEX);
  await mkdir(target, { recursive: true });
  for (const { name, title, text } of guides) {
    await writeFile(join(target, `${name}.html`), guidePage(guides, title, htmlOf(text), name));
  }
  const index = `<h1>Guides</h1>
<p>Each guide leads to a working result. The charts are <strong>not for navigation</strong>.</p>
${guideList(guides)}`;
  await writeFile(join(assetsDir, `${INDEX}.html`), guidePage(guides, 'Guides', index));
}

/** @throws Error if a guide does not start with a title */
async function readGuides(folder: string): Promise<Guide[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md')).sort();
  const guides = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8');
      const title = /^# (.+)\n/.exec(text)?.[1];
      if (title === undefined) throw new Error(`${file} must start with a title: # Title`);
      return { name: file.replace(/\.md$/, ''), title, text };
    }),
  );
  const place = ({ name }: Guide) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return guides.sort((a, b) => place(a) - place(b));
}

const marked = new Marked({
  renderer: {
    // A wide snippet scrolls, so it must be reachable by keyboard.
    code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    heading({ tokens, depth, text }: Tokens.Heading) {
      const id = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const page = href.replace(/^([\w-]+)\.md(?=#|$)/, `${INDEX}/$1`);
      return `<a href="${escaped(page)}">${this.parser.parseInline(tokens)}</a>`;
    },
  },
});

const htmlOf = (markdown: string): string => marked.parse(markdown, { async: false });

const guideList = (guides: readonly Guide[], current?: string): string => {
  const items = guides.map(({ name, title }) => {
    const mark = name === current ? ' aria-current="page"' : '';
    return `<li><a href="${INDEX}/${name}"${mark}>${escaped(title)}</a></li>`;
  });
  return `<ul>${items.join('')}</ul>`;
};

/** @param name of the guide; absent for the index */
const guidePage = (
  guides: readonly Guide[],
  title: string,
  content: string,
  name?: string,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<title>${escaped(title)} · Leadline</title>
<link rel="icon" href="/page/icon.svg">
<link rel="stylesheet" href="/page/docs.css">
</head>
<body>
<header><strong>Leadline</strong>
${pageNavigation(INDEX)}</header>
<div class="guide">
<main>
${content}${name === undefined ? '' : TOKEN_FIELD}</main>
${name === undefined ? '' : `<nav aria-label="Guides">${guideList(guides, name)}</nav>`}
</div>
<script type="module" src="/page/guides.js"></script>
</body>
</html>
`;

/** Shown by the script that fills the token in. */
const TOKEN_FIELD = `<form hidden><label for="token">Your token, for the snippets of this page. It is not stored.</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="Paste a token"></form>
`;
