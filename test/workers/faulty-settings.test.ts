// A setting that cannot be read is left aside, and whoever runs the service learns of it.

import { expect, it, vi } from 'vitest';
import { type Env, settingsOf } from '../../workers/service/runtime/env.ts';

it('a setting that is not understood is logged once by its name, never with its value', () => {
  const lines: unknown[] = [];
  const logged = vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
  const env = { RATE_LIMIT_READS: 'hush', trackGapMs: 'hush', GEOJSON_MIN_ZOOM: '12' };
  try {
    for (let request = 0; request < 3; request++) settingsOf(env as unknown as Env);
  } finally {
    logged.mockRestore();
  }
  const told = lines.map((line) => JSON.parse(String(line)) as { where: string; message: string });
  expect(told.map(({ where }) => where)).toEqual(['settings', 'settings']);
  expect(told.map(({ message }) => message).sort()).toEqual([
    'Error: RATE_LIMIT_READS is not understood; its default is used',
    'Error: trackGapMs is not understood; its default is used',
  ]);
  expect(lines.join()).not.toContain('hush');
});
