// Bundles a worker's script into one module. A thread that loads TypeScript module by module needs
// a second before its first job, ten times as long as with a bundle, and every build starts several
// threads.

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const known = new Map<string, Promise<URL>>();

/** URL of the bundle of a TypeScript module with all its imports, made once per process. */
export function plainScript(script: URL): Promise<URL> {
  const url = known.get(script.href) ?? bundle(script);
  known.set(script.href, url);
  return url;
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
    // A data URL has no path, so packages are looked up from the path of the script.
    define: { 'import.meta.url': place },
    // CommonJS libraries call `require` for Node's modules at run time.
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(${place});`,
    },
    logLevel: 'silent',
  });
  const text = Buffer.from(outputFiles[0]!.contents).toString('base64');
  return new URL(`data:text/javascript;base64,${text}`);
}
