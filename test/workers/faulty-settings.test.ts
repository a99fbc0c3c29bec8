// An invalid setting falls back to its default and is logged.

import { describe, expect, it, vi } from 'vitest';
import { type Env, settingsOf } from '../../workers/service/runtime/env.ts';

describe('settingsOf', () => {
  it('logs an invalid setting once with its name, without its value', () => {
    const lines: unknown[] = [];
    const logged = vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
    const env = { RATE_LIMIT_READS: 'hush', trackGapMs: 'hush', GEOJSON_MIN_ZOOM: '12' };
    try {
      for (let request = 0; request < 3; request++) settingsOf(env as unknown as Env);
    } finally {
      logged.mockRestore();
    }
    const faults = lines.map(
      (line) => JSON.parse(String(line)) as { where: string; message: string },
    );
    expect(faults.map(({ where }) => where)).toEqual(['settings', 'settings']);
    expect(faults.map(({ message }) => message).sort()).toEqual([
      'Error: RATE_LIMIT_READS must be a whole number from 0 to 1000000, for example 6000. Its default is used: 6000.',
      'Error: trackGapMs must be a whole number from 0 to 604800000, for example 300000. Its default is used: 300000.',
    ]);
    expect(lines.join()).not.toContain('hush');
  });
});
