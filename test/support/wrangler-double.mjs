// A double of the wrangler commands that a deployment uses. A file holds the state of the account, so
// `npm run deploy` can be tested without a real account. Dry runs bundle with the real wrangler, once
// per configuration.

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const home = process.env.WRANGLER_DOUBLE;
const path = join(home, 'account.json');
// One command at a time, because each reads and writes the whole state.
const lock = join(home, 'lock');
for (;;) {
  try {
    mkdirSync(lock);
    break;
  } catch {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}
process.on('exit', () => rmdirSync(lock));
const account = existsSync(path)
  ? JSON.parse(readFileSync(path, 'utf8'))
  : { loggedIn: true, buckets: [], namespaces: [], deployments: [], secrets: {}, asked: [] };
/** The Worker of the command: the name in its configuration, and the environment. */
const worker = () => {
  const [, name] = /^name = "(.+)"/m.exec(readFileSync(option('--config'), 'utf8'));
  return `${name}-${option('--env')}`;
};
const deploymentsOf = (name) => account.deployments.filter((one) => one.worker === name);
const words = process.argv.slice(2);
account.asked.push(words);
const save = () => writeFileSync(path, JSON.stringify(account, null, 1));
const end = (code, text = '') => {
  save();
  process.stdout.write(text);
  process.exit(code);
};
const option = (name) => words[words.indexOf(name) + 1];
const is = (...start) => start.every((word, at) => words[at] === word);
const objectPath = (key) => join(home, 'objects', key.replaceAll('/', '__'));

if (is('whoami')) {
  if (!account.loggedIn) end(1, '{"loggedIn":false}');
  end(0, JSON.stringify({ loggedIn: true, accounts: [{ name: 'Harbour Office', id: 'a1' }] }));
}
if (!account.loggedIn) end(1, 'You are not authenticated.');
if (account.fails !== undefined && words.join(' ').startsWith(account.fails)) {
  end(1, 'A request to the Cloudflare API failed.');
}
if (is('r2', 'bucket', 'list')) {
  const list = account.buckets.map(
    (name) => `name:           ${name}\ncreation_date:  2030-01-01\n`,
  );
  end(0, `Listing buckets...\n${list.join('\n')}`);
}
if (is('r2', 'bucket', 'create')) {
  if (account.buckets.includes(words[3])) end(1, 'The bucket you tried to create already exists');
  account.buckets.push(words[3]);
  end(0, `Created bucket '${words[3]}'`);
}
if (is('r2', 'object', 'get')) {
  if (!existsSync(objectPath(words[3]))) end(1, 'The specified key does not exist.');
  copyFileSync(objectPath(words[3]), option('--file'));
  end(0);
}
if (is('r2', 'object', 'put')) {
  if (!account.buckets.includes(words[3].split('/')[0]))
    end(1, 'The specified bucket does not exist');
  mkdirSync(join(home, 'objects'), { recursive: true });
  copyFileSync(option('--file'), objectPath(words[3]));
  end(0, 'Upload complete.');
}
if (is('r2', 'object', 'delete')) {
  rmSync(objectPath(words[3]), { force: true });
  end(0, 'Delete complete.');
}
if (is('kv', 'namespace', 'list')) end(0, JSON.stringify(account.namespaces, null, 2));
if (is('kv', 'namespace', 'create')) {
  const id = `${account.namespaces.length + 1}`.padStart(32, '0');
  account.namespaces.push({ id, title: words[3], supports_url_encoding: true });
  end(0, `Success!\n[[kv_namespaces]]\nbinding = "X"\nid = "${id}"\n`);
}
if (is('deployments', 'list')) {
  const those = deploymentsOf(worker());
  if (those.length === 0) end(1, 'This Worker does not exist on your account.');
  end(0, JSON.stringify(those));
}
if (is('secret', 'list')) {
  const names = Object.keys(account.secrets[worker()] ?? {});
  end(0, JSON.stringify(names.map((name) => ({ name, type: 'secret_text' }))));
}
if (is('rollback')) {
  deployVersion(words[1]);
  end(0, 'SUCCESS');
}
if (is('deploy', '--dry-run')) {
  // The bundle of a configuration stays the same, and takes seconds.
  const tried = [option('--env'), readFileSync(option('--config'), 'utf8')].join();
  account.tried ??= [];
  if (account.tried.includes(tried)) end(0);
  const manifest = createRequire(import.meta.url).resolve('wrangler/package.json');
  const real = join(dirname(manifest), 'bin', 'wrangler.js');
  const ran = spawnSync(process.execPath, [real, ...words], { encoding: 'utf8' });
  if (ran.status === 0) account.tried.push(tried);
  end(ran.status === 0 ? 0 : 1, ran.status === 0 ? ran.stdout : ran.stdout + ran.stderr);
}
// Each deployment had a dry run before, so nothing is bundled here.
if (is('deploy')) {
  // A binding must refer to an existing Worker.
  const bound = /service = "(.+)"/g;
  const text = readFileSync(option('--config'), 'utf8');
  const missing = [...text.matchAll(bound)]
    .map(([, name]) => name)
    .find((name) => name.endsWith(option('--env')) && deploymentsOf(name).length === 0);
  if (missing !== undefined) {
    end(1, `Could not resolve service binding: Worker "${missing}" not found. [code: 10143]`);
  }
  if (words.includes('--secrets-file')) {
    account.secrets[worker()] = JSON.parse(readFileSync(option('--secrets-file'), 'utf8'));
  }
  deployVersion(`version-${deploymentsOf(worker()).length + 1}`);
  end(0);
}
end(1, `The double knows nothing of: ${words.join(' ')}`);

function deployVersion(version_id) {
  const created_on = new Date(1.9e12 + account.deployments.length * 1000).toISOString();
  account.deployments.push({
    worker: worker(),
    created_on,
    versions: [{ version_id, percentage: 100 }],
  });
}
