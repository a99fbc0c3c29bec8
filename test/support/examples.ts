// The projects of test/examples as their developers would build them, with an address and a token where
// they name them.

import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { writeModules } from '../../workers/web/client/packing/build-package.ts';
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

/** Modules of `@leadline/client` by the names that apps import, as `writeModules` writes them. */
const CLIENT_MODULES = [
  ['@leadline/client', 'dist/index.js'],
  ['@leadline/client/region', 'dist/region.js'],
  ['@leadline/client/chart', 'dist/chart/index.js'],
  ['@leadline/client/chart/define', 'dist/chart/define.js'],
] as const;

let clientPackage: Promise<string> | undefined;

/** A folder with the client as apps install it, among the modules of others: made once in a run. */
function installClient(): Promise<string> {
  clientPackage ??= (async () => {
    const folder = mkdtempSync(join(ROOT, 'node_modules/.leadline-client-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    copyFileSync(join(ROOT, 'workers/web/client/package.json'), join(folder, 'package.json'));
    await writeModules(join(folder, 'dist'));
    return folder;
  })();
  return clientPackage;
}

/** What Vite makes of an example, by path; `''` is its page. */
export async function buildExample(
  name: string,
  place: Place,
): Promise<Record<string, readonly [type: string, body: string | Uint8Array]>> {
  const client = await installClient();
  const made = await build({
    root: join(FOLDER, name),
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: CLIENT_MODULES.map(([name, file]) => ({
        find: new RegExp(`^${name}$`),
        replacement: join(client, file),
      })),
    },
    build: { write: false, chunkSizeWarningLimit: Number.POSITIVE_INFINITY },
    plugins: [
      {
        name: 'address-and-token',
        transform: (code, id) =>
          id === join(FOLDER, name, mainOf(name)) ? filledIn(code, place) : undefined,
        transformIndexHtml: (html) => filledIn(html, place),
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
