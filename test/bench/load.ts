// Puts load on one URL path and measures the CPU time of the runtime per request. Uses `wrk` if it is
// installed, because it needs the least processor time, or our own client. Both use the paths in the
// same order.

import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { runtimeCpuMs } from './runtime-cpu.ts';

export const CONNECTIONS = 16;

export interface Load {
  readonly port: number;
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
}

/** The name of the client that `cpuMicroseconds` uses on this machine. */
export const loadClient = spawnSync('wrk', ['--version']).error === undefined ? 'wrk' : 'node';

/**
 * The processor time of the runtimes of this process per request, in microseconds.
 * @throws Error if a response is not 200
 */
export async function cpuMicroseconds(load: Load, scratch: string): Promise<number> {
  const before = runtimeCpuMs();
  const requests = await (loadClient === 'wrk' ? withWrk(load, scratch) : withNode(load));
  return (1000 * (runtimeCpuMs() - before)) / requests;
}

/** @returns the number of answered requests */
async function withWrk({ port, paths, headers, seconds }: Load, scratch: string): Promise<number> {
  const script = join(scratch, 'paths.lua');
  const quoted = (text: string) => JSON.stringify(text);
  writeFileSync(
    script,
    `local paths = {${paths.map(quoted).join(',')}}
local made = {}
local at = 0
init = function()
  for i, path in ipairs(paths) do made[i] = wrk.format('GET', path) end
end
request = function()
  at = at % #made + 1
  return made[at]
end
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`)
  .join('\n')}
`,
  );
  const words = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script];
  // Not synchronous, because the output of the runtime must be read meanwhile.
  const ran = await run('wrk', [...words, `http://127.0.0.1:${port}`]);
  const answered = /(\d+) requests in /.exec(ran)?.[1];
  if (answered === undefined || /Non-2xx/.test(ran)) throw new Error(`wrk: ${ran}`);
  return Number(answered);
}

function run(command: string, words: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(command, words);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on('error', fail);
    child.on('close', () => done(said));
  });
}

async function withNode({ port, paths, headers, seconds }: Load): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const end = performance.now() + seconds * 1000;
  let done = 0;
  let at = 0;
  const worker = async () => {
    while (performance.now() < end) {
      const { status } = await getOnce(port, paths[at++ % paths.length]!, headers, agent);
      if (status !== 200) throw new Error(`${status} instead of 200`);
      done++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  agent.destroy();
  return done;
}

export interface Got {
  readonly status: number;
  readonly body: Buffer;
  readonly serverTiming: string;
}

/** Sends one request over a kept connection. */
export function getOnce(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
): Promise<Got> {
  return new Promise((done, fail) => {
    request({ host: '127.0.0.1', port, path, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', fail);
      incoming.on('end', () =>
        done({
          status: incoming.statusCode!,
          body: Buffer.concat(chunks),
          serverTiming: String(incoming.headers['server-timing'] ?? ''),
        }),
      );
    })
      .on('error', fail)
      .end();
  });
}
