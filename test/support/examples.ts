// The projects of test/examples as their developers would build them, with an address and a token where
// they name them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from './source-files.ts';

const FOLDER = join(ROOT, 'test/examples');

export const EXAMPLES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

export const exampleFile = (name: string, file: string): string =>
  readFileSync(join(FOLDER, name, file), 'utf8');

/** The script that its page names. */
const mainOf = (name: string): string =>
  /src="\.\/(main\.jsx?)"/.exec(exampleFile(name, 'index.html'))![1]!;

/** The text of that script. */
export const exampleMain = (name: string): string => exampleFile(name, mainOf(name));

export interface Place {
  readonly address: string;
  readonly token: string;
}

export const filledIn = (text: string, { address, token }: Place): string =>
  text.replaceAll('ADDRESS', address).replaceAll('TOKEN', token);

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  png: 'image/png',
  svg: 'image/svg+xml',
};

/** What Vite makes of an example, by path; `''` is its page. */
export async function buildExample(
  name: string,
  place: Place,
): Promise<Record<string, readonly [type: string, body: string | Uint8Array]>> {
  const made = await build({
    root: join(FOLDER, name),
    configFile: false,
    logLevel: 'error',
    // Installed from its package by others.
    resolve: {
      alias: [
        { find: /^@leadline\/client$/, replacement: join(ROOT, 'workers/client/index.ts') },
        { find: /^@leadline\/client\/(\w+)$/, replacement: join(ROOT, 'workers/client/$1.ts') },
      ],
    },
    build: { write: false, chunkSizeWarningLimit: Number.POSITIVE_INFINITY },
    plugins: [
      {
        name: 'address-and-token',
        transform: (code, id) =>
          id === join(FOLDER, name, mainOf(name)) ? filledIn(code, place) : undefined,
      },
    ],
  });
  if (!('output' in made)) throw new Error(`Vite made something else of ${name}.`);
  return Object.fromEntries(
    made.output.map((file) => {
      const path = file.fileName === 'index.html' ? '' : file.fileName;
      const type = TYPES[file.fileName.split('.').at(-1)!] ?? 'application/octet-stream';
      return [path, [type, file.type === 'chunk' ? file.code : file.source]];
    }),
  );
}
