// The table of threats names for each of them a test that there is (`test/documents.test.ts` sees to
// the paths).

import { expect, test } from 'vitest';
import { textOf } from '../support/source-files.ts';

test('every threat in workers/service/http/README.md has a defence and a test', () => {
  const [, section = ''] = textOf('workers/service/http/README.md').split('## Threats');
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |\|$/g, '').trim()));
  expect(rows.length).toBeGreaterThan(20);
  for (const [threat, defence, tests] of rows.slice(1)) {
    expect([threat, (defence ?? '').length > 2]).toEqual([threat, true]);
    expect([threat, tests]).toEqual([
      threat,
      expect.stringMatching(/^`test\/[\w/-]+`(, `test\/[\w/-]+`)*$/),
    ]);
  }
});
