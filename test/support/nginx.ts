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
  stop(): Promise<void>;
}

/** The block `location` of the guide, for a service on another port. */
function guidedLocation(servicePort: number): string {
  const block = /```\n(location \/ \{[\s\S]*?)```/.exec(readFileSync(GUIDE, 'utf8'))?.[1];
  if (block === undefined) throw new Error('The guide has no configuration for nginx.');
  return block.replace('127.0.0.1:8787', `127.0.0.1:${servicePort}`);
}

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
  access_log off;
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
