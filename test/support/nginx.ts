// nginx in front of a service, configured as in the guide of the self-hosted edition.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../workers/host/database/process.ts';

export { hasNginx } from './machine.ts';

const GUIDE = resolve(import.meta.dirname, '../../workers/host/serve/README.md');

export interface Nginx {
  readonly port: number;
  /** Lines of the access log so far. */
  accessLog(): string;
  /** Lines of the error log of the guide so far. */
  errorLog(): string;
  stop(): Promise<void>;
}

/** A block of the guide that begins with these words. */
function guided(start: 'location' | 'log_format'): string {
  const block = new RegExp(`\`\`\`\\n(${start} [\\s\\S]*?)\`\`\``).exec(
    readFileSync(GUIDE, 'utf8'),
  );
  if (block === null) throw new Error(`The guide has no ${start} for nginx.`);
  return block[1]!;
}

/** The block `location` of the guide, for a service on another port. */
const guidedLocation = (servicePort: number): string =>
  guided('location').replace('127.0.0.1:8787', `127.0.0.1:${servicePort}`);

/** Start nginx on a free port, without some part of the guide's configuration. @throws Error when it does not start */
export async function startNginx(servicePort: number, without?: RegExp): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-nginx-'));
  const port = await freePort(0);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/errors;
events {}
http {
  ${guided('log_format').replaceAll('/var/log/nginx', folder)}
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; ${guidedLocation(servicePort).replace(without ?? /^$/, '')} }
}
`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', config, '-e', `${folder}/errors`]);
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  while (!(await isListening(port))) {
    if (child.exitCode === null) continue;
    throw new Error(`nginx did not start. ${readFileSync(`${folder}/errors`, 'utf8')}`);
  }
  return {
    port,
    accessLog: () => readFileSync(join(folder, 'access.log'), 'utf8'),
    errorLog: () => readFileSync(join(folder, 'error.log'), 'utf8'),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.end(() => done(true)));
    socket.once('error', () => setTimeout(() => done(false), 20));
  });
