// A deployment that is stopped while its secrets are in a file.

import { existsSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { deployWorker } from '../../../workers/host/deploy/deploy.ts';

test('the file with the secrets is removed before a signal ends the process', async () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const seen: boolean[] = [];
  // Others in this process would end it.
  const others = process.listeners('SIGINT');
  const wrangler = async (...words: string[]) => {
    const file = words.at(-1)!;
    seen.push(existsSync(file));
    const own = process.listeners('SIGINT').filter((listener) => !others.includes(listener));
    for (const stop of own) stop('SIGINT');
    seen.push(existsSync(file));
    return { code: 0, stdout: '', output: '' };
  };
  const before = process.listenerCount('SIGTERM');
  try {
    await deployWorker({ wrangler, name: 'production' }, 'wrangler.toml', { SECRET: 'x' });
    expect(seen).toEqual([true, false]);
    expect(kill.mock.calls).toEqual([[process.pid, 'SIGINT']]);
    expect(process.listenerCount('SIGTERM')).toBe(before);
  } finally {
    kill.mockRestore();
  }
});
