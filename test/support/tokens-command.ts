// Runs `npm run tokens` as a separate process, or in this process to test its many errors.

import { vi } from 'vitest';
import { runTokens as runHere } from '../../workers/host/tokens/program.ts';
import { captured, type Ended } from './captured.ts';
import { runProgram } from './processes.ts';

/** The command in a process of its own. */
export const runTokens = (
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> => runProgram('workers/host/tokens/cli.ts', words, environment);

/** The same command in this process, which is faster. */
export async function runWithin(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'LEADLINE_DATA', 'CLOUDFLARE_ENV']) {
    vi.stubEnv(name, undefined);
  }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    return await captured(() => runHere(words));
  } finally {
    vi.unstubAllEnvs();
  }
}

/** The command with one database and one data folder. `tokens` returns the printed text. */
export function tokensOver(databaseUrl: string, dataDir: string) {
  const environment = { DATABASE_URL: databaseUrl, LEADLINE_ACTOR: 'the tests' };
  const inFull = (words: readonly string[]) => [...words, '--data', dataDir];
  return {
    /** In a process of its own. */
    spawned: (...words: string[]) => runTokens(inFull(words), environment),
    run: (...words: string[]) => runWithin(inFull(words), environment),
    tokens: async (...words: string[]): Promise<string> => {
      const { code, out, complaint } = await runWithin(inFull(words), environment);
      if (code !== 0) throw new Error(`tokens ${words.join(' ')} ended with ${code}: ${complaint}`);
      return out;
    },
  };
}
