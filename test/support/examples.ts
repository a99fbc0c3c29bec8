// Builds the projects in test/examples as their developers would, with ADDRESS and TOKEN replaced.

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

/** File name of the script in an example's `index.html`. */
const scriptOf = (name: string): string =>
  /src="\.\/(main\.jsx?)"/.exec(exampleFile(name, 'index.html'))![1]!;

export const exampleScript = (name: string): string => exampleFile(name, scriptOf(name));

export interface ServiceAccess {
  readonly address: string;
  readonly token: string;
}

export const filledIn = (text: string, { address, token }: ServiceAccess): string =>
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

/** Creates a folder in `node_modules` with the client as apps install it, once per process. */
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

/** Builds an example with Vite. Returns its files by path; `''` is `index.html`. */
export async function buildExample(
  name: string,
  access: ServiceAccess,
): Promise<Record<string, readonly [type: string, body: string | Uint8Array]>> {
  const client = await installClient();
  const built = await build({
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
          id === join(FOLDER, name, scriptOf(name)) ? filledIn(code, access) : undefined,
        transformIndexHtml: (html) => filledIn(html, access),
      },
    ],
  });
  if (!('output' in built))
    throw new Error(`Vite returned no single output for the example ${name}.`);
  return Object.fromEntries(
    built.output.map((file) => {
      const path = file.fileName === 'index.html' ? '' : file.fileName;
      const type = TYPES[file.fileName.split('.').at(-1)!] ?? 'application/octet-stream';
      return [path, [type, file.type === 'chunk' ? file.code : file.source]];
    }),
  );
}
