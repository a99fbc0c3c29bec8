// Requests with bodies at the maximum rate of `wrk`: each is one of a few kinds, with random numbers in
// every request.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONNECTIONS } from './load.ts';

export interface PostLoad {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** Path and body; `{name}` stands for a number from 1 to the value in `numbers`. */
  readonly path: string;
  readonly body: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly connections?: number;
}

export interface PostFigures {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** @throws Error if a response is not a success, or `wrk` is missing */
export async function postsPerSecond(load: PostLoad, scratch: string): Promise<PostFigures> {
  const script = join(scratch, 'posts.lua');
  writeFileSync(script, luaOf(load));
  const { port, seconds, connections = CONNECTIONS } = load;
  const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script];
  const said = await run('wrk', [...words, `http://127.0.0.1:${port}`]);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(said)?.[1]);
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(said) ?? [];
  if (!(perSecond > 0) || /Non-2xx|timeout [1-9]/.test(said)) throw new Error(`wrk: ${said}`);
  return { perSecond, p99Ms: Number(p99) * (unit === 's' ? 1000 : unit === 'ms' ? 1 : 0.001) };
}

function luaOf({ path, body, headers, numbers }: PostLoad): string {
  const quoted = (text: string) => JSON.stringify(text);
  const drawn = Object.entries(numbers).map(
    ([name, most]) => `  drawn[${quoted(name)}] = string.format("%012d", math.random(${most}))`,
  );
  return `local drawn = {}
init = function() math.randomseed(20261121) end
request = function()
${drawn.join('\n')}
  local path = string.gsub(${quoted(path)}, "{(%w+)}", drawn)
  local body = string.gsub(${quoted(body)}, "{(%w+)}", drawn)
  return wrk.format("POST", path, nil, body)
end
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`)
  .join('\n')}
`;
}

/** Not synchronous, because the output of the runtime must be read meanwhile. */
export function run(command: string, words: readonly string[], env = {}): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(command, words, { env: { ...process.env, ...env } });
    let said = '';
    const keep = (chunk: Buffer) => {
      said += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', fail);
    child.on('close', () => done(said));
  });
}
