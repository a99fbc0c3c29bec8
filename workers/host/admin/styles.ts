// `npm run styles`: manages the saved styles of an account through the service's API, so that validation
// and edge copies are the same as for every other client.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { endIfOutputFails, refuseEmptyOptions } from '../../../shared/contract/command-program.ts';
import { isOpaqueToken } from '../../../shared/contract/opaque-token.ts';
import type { SavedStyle } from '../../../shared/contract/saved-style.ts';
import { isTokenText } from '../../../shared/contract/token-text.ts';
import { explain } from '../database/explain.ts';
import { isHttpUrl, stateFolder, variable } from '../database/operator-variables.ts';
import { loadKeys, mintToken } from './keys.ts';

const DEFAULT_URL = `http://127.0.0.1:${variable('PORT') ?? 8787}`;
const MINUTES_5 = 300;

const program = new Command('styles')
  .description('Manage the saved styles of an account, for styleId and styleName of base.json.')
  .hook('preAction', (_, command) => refuseEmptyOptions(command))
  .option('--url <address>', 'address of the service', variable('LEADLINE_URL') ?? DEFAULT_URL)
  .option('--account <name>', 'account of the styles, for a service on this machine', 'development')
  .option('--data <dir>', 'data folder with the signing keys (LEADLINE_DATA)', stateFolder())
  .addHelpText(
    'after',
    `
Environment: LEADLINE_URL (address of the service) and LEADLINE_TOKEN (a token with the scope
styles:write). Without LEADLINE_TOKEN, the command signs a token with the keys in --data.

A style is JSON: {"name": "Night bridge", "baseTheme": "night", "parameters": {
  "colors": {"DEPVS": "#112233"}, "settings": {"depthLimit": 7.5, "depthUnits": "feet"}}}`,
  );

program
  .command('list')
  .description('list id, theme and name of every style, newest first')
  .action(async () => {
    for (const { id, baseTheme, name } of await list()) {
      console.log(`${id}  ${baseTheme.padEnd(5)}  ${name}`);
    }
  });

program
  .command('show')
  .description('print a style as JSON')
  .argument('<style>', 'its name or id')
  .action(async (wanted: string) => print(await find(wanted)));

program
  .command('save')
  .description('save a style; replaces a style with the same name')
  .argument('<file>', 'JSON as show prints it; - for the standard input')
  .option('--name <name>', 'name of the style, instead of the one in the file')
  .action(async (file: string, { name }: { name?: string }) => {
    const style = { ...(await readStyle(file)), ...(name === undefined ? {} : { name }) };
    const known = (await list()).find((one) => one.name === style.name);
    print(
      known === undefined
        ? await ask<SavedStyle>('POST', '', style)
        : await ask<SavedStyle>('PUT', `/${known.id}`, style),
    );
  });

program
  .command('rename')
  .description('rename a style')
  .argument('<style>', 'its name or id')
  .argument('<name>', 'the new name')
  .action(async (wanted: string, name: string) => {
    const style = await find(wanted);
    print(await ask<SavedStyle>('PUT', `/${style.id}`, { ...style, name }));
  });

program
  .command('delete')
  .description('delete a style; requests that name it fail from then on')
  .argument('<style>', 'its name or id')
  .action(async (wanted: string) => {
    await ask('DELETE', `/${(await find(wanted)).id}`);
  });

/** @throws Error if the file has no JSON object; the service checks its fields */
async function readStyle(file: string): Promise<Partial<SavedStyle>> {
  const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  try {
    const style: unknown = JSON.parse(content);
    if (typeof style === 'object' && style !== null && !Array.isArray(style)) return style;
  } catch {
    // The message is the same as for JSON of another kind.
  }
  throw new Error(
    `${file === '-' ? 'The standard input' : file} is not a style. Expected JSON, for example {"name": "Night bridge", "baseTheme": "night"}.`,
  );
}

async function list(): Promise<SavedStyle[]> {
  const styles = await ask<SavedStyle[] | object>('GET', '');
  if (Array.isArray(styles)) return styles;
  const { url } = program.opts<{ url: string }>();
  throw new Error(`${url} is not a Leadline service. Correct --url or LEADLINE_URL.`);
}

async function find(wanted: string): Promise<SavedStyle> {
  const found = (await list()).find(({ id, name }) => id === wanted || name === wanted);
  if (found === undefined)
    throw new Error(`There is no style ${wanted}. To list the styles: npm run styles -- list`);
  return found;
}

const print = (style: SavedStyle) => console.log(JSON.stringify(style, null, 2));

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { url } = program.opts<{ url: string }>();
  if (!isHttpUrl(url)) {
    throw new Error(
      `"${url}" is not an address. Set --url or LEADLINE_URL to an http or https URL, for example ${DEFAULT_URL}.`,
    );
  }
  const response = await fetch(`${url.replace(/\/+$/, '')}/api/portal/v1/styles${path}`, {
    method,
    headers: { authorization: `Bearer ${await token()}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error(`Nothing answers at ${url}. Start it with npm start, or set LEADLINE_URL.`);
  });
  const answer = response.status === 204 ? {} : await response.json().catch(() => ({}));
  if (response.ok) return answer as T;
  const { detail, errors } = answer as { detail?: string; errors?: Record<string, string>[] };
  const places = (errors ?? []).map((one) => `\n  ${one['path']}: ${one['message']}`);
  throw new Error(
    `${detail ?? `${url} returned status ${response.status}. Check --url and the log of the service.`}${places.join('')}`,
  );
}

async function token(): Promise<string> {
  const given = process.env['LEADLINE_TOKEN'];
  if (given !== undefined && given !== '') {
    if (isTokenText(given) || isOpaqueToken(given)) return given;
    throw new Error(
      'LEADLINE_TOKEN is not a token. Create one with: npm run tokens -- mint --sub NAME --scopes styles:write',
    );
  }
  const { account, data } = program.opts<{ account: string; data: string }>();
  const request = {
    subject: 'styles-command',
    account,
    plan: 'standard',
    pilot: false,
    scopes: ['styles:write'],
    origins: [],
    expiresInSeconds: MINUTES_5,
  } as const;
  return (await mintToken(await loadKeys(resolve(data)), request, Date.now())).token;
}

endIfOutputFails(process);
try {
  await program.parseAsync();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
