import { describe, expect, it } from 'vitest';
import { readMailSettings } from '../../../shared/contract/mail-settings.ts';

const GOOD = {
  LEADLINE_SMTP: 'smtps://charts:p%40ss@mail.example:465',
  LEADLINE_MAIL_FROM: 'charts@charts.example',
  PUBLIC_URL: 'https://charts.example/',
};

describe('readMailSettings', () => {
  it('returns nothing if no email is configured', () => {
    expect(readMailSettings({})).toEqual({ faults: [] });
    expect(readMailSettings({ PUBLIC_URL: 'https://charts.example' })).toEqual({ faults: [] });
    expect(readMailSettings({ LEADLINE_SMTP: ' ' })).toEqual({ faults: [] });
  });

  it.each([
    ['charts@charts.example', { name: '', address: 'charts@charts.example' }],
    ['<charts@charts.example>', { name: '', address: 'charts@charts.example' }],
    [
      'Acme, Charts <charts@charts.example>',
      { name: 'Acme, Charts', address: 'charts@charts.example' },
    ],
  ])('reads the sender %s', (sender, from) => {
    const { settings } = readMailSettings({ ...GOOD, LEADLINE_MAIL_FROM: sender });
    expect(settings).toEqual({
      ...{ server: GOOD.LEADLINE_SMTP, from },
      origin: 'https://charts.example',
    });
  });

  it.each([
    ['LEADLINE_SMTP', ['', 'mail.example', 'https://mail.example', 'smtp://', 'smtp://a b:x']],
    [
      'LEADLINE_MAIL_FROM',
      [
        ...['', 'charts', 'Charts charts@charts.example', 'a@x.example, b@x.example'],
        ...[
          'Charts\r\nBcc: eve@evil.example <charts@charts.example>',
          '<a@x.example> <b@x.example>',
        ],
      ],
    ],
    ['PUBLIC_URL', ['', 'charts.example', 'ftp://charts.example', 'https://charts.example/path']],
  ])('names %s if it is missing or invalid', (name, values) => {
    for (const value of values) {
      const read = readMailSettings({ ...GOOD, [name]: value });
      expect([value, read]).toEqual([value, { faults: [name] }]);
    }
  });
});
