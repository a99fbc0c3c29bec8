// A worker's script as one plain module. A thread that loads TypeScript module by module is busy for a
// second before its first job, ten times as long as with this, and every build starts some threads.

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const known = new Map<string, Promise<URL>>();

/** Of a module of TypeScript: itself with everything it imports, made once in a process. */
export function plainScript(script: URL): Promise<URL> {
  const made = known.get(script.href) ?? bundle(script);
  known.set(script.href, made);
  return made;
}

async function bundle(script: URL): Promise<URL> {
  const place = JSON.stringify(script.href);
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(script)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    // It has no file of its own: packages' files are looked for from the script's.
    define: { 'import.meta.url': place },
    // Libraries of the older kind ask for Node's own modules at run time.
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(${place});`,
    },
    logLevel: 'silent',
  });
  const text = Buffer.from(outputFiles[0]!.contents).toString('base64');
  return new URL(`data:text/javascript;base64,${text}`);
}
