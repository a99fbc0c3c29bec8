// Runs wrangler as a child process. LEADLINE_WRANGLER replaces it by another script with the same
// commands, to test a deployment without an account.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  /** Standard output and standard error. */
  readonly output: string;
}

export type Wrangler = (...args: string[]) => Promise<Ran>;

/** @param root folder of `wrangler.toml` */
export function wranglerIn(root: string): Wrangler {
  const configured = process.env['LEADLINE_WRANGLER'] ?? '';
  const manifest = createRequire(import.meta.url).resolve('wrangler/package.json');
  const script = configured === '' ? join(dirname(manifest), 'bin', 'wrangler.js') : configured;
  const env = { WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true', ...process.env };
  return (...args) =>
    new Promise((done, fail) => {
      const child = spawn(process.execPath, [script, ...args], {
        cwd: root,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [stdout, output] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        output += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      child.on('error', fail);
      child.on('close', (code) => done({ code: code ?? 1, stdout, output }));
    });
}

/** The output of a command. @throws Error with its output and errors if it failed */
export async function checked(ran: Ran | Promise<Ran>, doing: string): Promise<string> {
  const { code, stdout, output } = await ran;
  if (code !== 0) throw new Error(`wrangler failed ${doing}:\n${output.trim()}`);
  return stdout;
}

/** Parse the JSON in the output of a command, ignoring text before and after it. */
export function jsonIn(text: string): unknown {
  const at = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'));
  if (at < 0 || end < at)
    throw new Error(`Expected JSON from wrangler, but it printed: ${text.slice(0, 200)}`);
  return JSON.parse(text.slice(at, end + 1));
}
