// Runs the steps of a Dockerfile without a container runtime: as root, in clean root directories over a
// folder with a base system instead of the base image (debootstrap and Node).
//   npx tsx test/support/run-dockerfile.ts DOCKERFILE CONTEXT BASE OUT
// writes each stage's root to OUT/<number>, and prints the command that starts the last one.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Copy, DockerfileParser, type From, type JSONInstruction } from 'dockerfile-ast';

const [file, context, base, out] = process.argv.slice(2).map((word) => resolve(word)) as string[];
const run = (program: string, words: readonly string[]) =>
  execFileSync(program, words, { stdio: ['ignore', 'inherit', 'inherit'] });

interface Stage {
  readonly name: string | null;
  readonly root: string;
  readonly env: Record<string, string>;
  cwd: string;
  user: string;
}

const stages: Stage[] = [];
let start: string[] = [];

function inside({ root, env, cwd, user }: Stage, command: string): void {
  mkdirSync(join(root, cwd), { recursive: true });
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  run('chroot', [
    `--userspec=${user}`,
    root,
    '/usr/bin/env',
    '-i',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'HOME=/root',
    'DEBIAN_FRONTEND=noninteractive',
    ...settings,
    '/bin/sh',
    '-ec',
    `cd ${cwd} && ${command}`,
  ]);
}

function copy(stage: Stage, instruction: Copy): void {
  const words = instruction.getArguments().map((one) => one.getValue());
  const flags = new Map(instruction.getFlags().map((flag) => [flag.getName(), flag.getValue()]));
  const from = flags.get('from');
  const source = from === undefined ? context! : stages.find(({ name }) => name === from)!.root;
  const target = words.at(-1)!;
  const to = target.startsWith('/') ? target : join(stage.cwd, target);
  for (const word of words.slice(0, -1)) {
    const origin = join(source, word);
    const isFile = !existsSync(join(origin, '.')) || target.endsWith('/');
    const place = join(stage.root, to, isFile && word !== '.' ? word.split('/').at(-1)! : '');
    cpSync(origin, place, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  }
  const owner = flags.get('chown');
  if (owner) inside({ ...stage, user: 'root', cwd: '/' }, `chown -R ${owner} ${to}`);
}

for (const instruction of DockerfileParser.parse(readFileSync(file!, 'utf8')).getInstructions()) {
  const text = instruction.getArgumentsContent() ?? '';
  const stage = stages.at(-1);
  process.stdout.write(`== ${instruction.getKeyword()} ${text.slice(0, 100)}\n`);
  if (instruction.getKeyword() === 'FROM') {
    const root = join(out!, String(stages.length));
    run('cp', ['-a', base!, root]);
    const name = (instruction as From).getBuildStage();
    stages.push({ name, root, env: {}, cwd: '/', user: 'root' });
    continue;
  }
  if (stage === undefined) throw new Error('A Dockerfile begins with FROM.');
  switch (instruction.getKeyword()) {
    case 'RUN':
      inside(stage, instruction.getRawArgumentsContent()!.replace(/\\\n/g, ' '));
      break;
    case 'COPY':
      copy(stage, instruction as Copy);
      break;
    case 'WORKDIR':
      stage.cwd = text;
      mkdirSync(join(stage.root, text), { recursive: true });
      break;
    case 'USER':
      stage.user = text;
      break;
    case 'ENV':
      for (const one of instruction.getArguments()) {
        const [name, ...value] = one.getValue().split('=');
        stage.env[name!] = value.join('=');
      }
      break;
    case 'ENTRYPOINT':
    case 'CMD':
      start = [
        ...start,
        ...(instruction as JSONInstruction).getJSONStrings().map((s) => s.getJSONValue()),
      ];
      break;
  }
}
process.stdout.write(`${JSON.stringify({ ...stages.at(-1), start })}\n`);
