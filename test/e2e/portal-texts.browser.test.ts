// Every text that the portal shows, as a hostile text that stands in the database: it stays text.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFirstLink } from '../../workers/host/registry/portal-users.ts';
import { withRegistry } from '../../workers/host/registry/registry.ts';
import { browserPath } from '../support/browser.ts';
import { type ChartPages, openChartPages, PATIENTLY } from '../support/chart-page.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { BATHYMETRY, soundingAfter } from '../support/soundings.ts';

const ACCOUNT = 'acme';
/** Text that would run, or end an attribute or an element, if it were inserted as HTML. */
const hostile = (name: string): string =>
  `${name}"'></code></script><img src=x onerror="globalThis.ran='${name}'"><svg onload=alert(1)>`;

let database: TestDatabase;
let pages: ChartPages;
let link: string;
beforeAll(async () => {
  if (browserPath === undefined) return;
  database = await freshDatabase();
  pages = await openChartPages(database);
  link = (await withRegistry(database.ownerUrl, (registry) =>
    createFirstLink({ registry, actor: 'test' }, ACCOUNT),
  ))!;
  await plant();
});
afterAll(() => pages?.stop());

/** Writes hostile texts into every column that the portal shows, past the checks of the service. */
async function plant(): Promise<void> {
  const { query } = database;
  for (const [table, constraint] of [
    ['account', 'account_id_check'],
    ['portal_user', 'portal_user_email_check'],
    ['admin_act', 'admin_act_act_check'],
    ['admin_act', 'admin_act_actor_check'],
  ]) {
    await query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${constraint}`);
  }
  await query(`INSERT INTO account (id, plan, note) VALUES ($1, 'standard', $2)`, [
    hostile('account'),
    hostile('account-note'),
  ]);
  await query(
    `INSERT INTO portal_user (id, account_id, role, email) VALUES ($1, $2, 'member', $3)`,
    [hostile('user-id').slice(0, 64), ACCOUNT, hostile('user-address')],
  );
  await query(
    `INSERT INTO api_token (id, account_id, subject, kind, plan, pilot, scopes, origins, votes_for_users,
       generation, token_hash, note, issued_at)
     VALUES ($1, $2, 'member:' || $3::text, 'pk', 'standard', false, '{tiles}', $4, false, 0, $5, $6, 1)`,
    [
      'a"><img src=x onerror=alert(2)>',
      ACCOUNT,
      hostile('user-id').slice(0, 64),
      [`https://${hostile('token-origin')}`],
      '0'.repeat(64),
      hostile('token-name'),
    ],
  );
  await query(
    'INSERT INTO admin_act (actor, act, account_id, token_id, detail) VALUES ($1, $2, $3, $4, $5)',
    [
      hostile('actor'),
      hostile('act'),
      null,
      null,
      JSON.stringify({ [hostile('detail-key')]: hostile('detail') }),
    ],
  );
  const token = await pages.service.token({
    account: ACCOUNT,
    scopes: ['styles:write', 'bathymetry:write'],
  });
  const made = await fetch(`${pages.service.address}/api/portal/v1/styles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: hostile('s'), baseTheme: 'day', parameters: {} }),
  });
  expect([made.status, await made.text()]).toEqual([201, expect.anything()]);
  const sent = await fetch(`${pages.service.address}${BATHYMETRY}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({
      platform: { uniqueId: hostile('u'), name: hostile('t') },
      soundings: [soundingAfter(0)],
    }),
  });
  expect([sent.ok, await sent.text()]).toEqual([true, expect.anything()]);
}

describe.runIf(browserPath !== undefined)('the portal', () => {
  it('shows hostile texts of the database as text, in every section and form', async () => {
    const page = await (await pages.browser.newContext()).newPage();
    page.setDefaultTimeout(PATIENTLY.timeout);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('dialog', (dialog) => faults.push(dialog.message()));
    page.on('console', (message) => {
      // A blocked script is an injected script.
      if (/Content Security Policy/.test(message.text())) faults.push(message.text());
    });
    await page.goto(`${pages.service.address}/portal#link=${link}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const expectText = async (hash: string, names: readonly string[]) => {
      await page.goto(`${pages.service.address}/portal#${hash}`);
      for (const name of names) await page.getByText(hostile(name)).first().waitFor();
      // Each form shows texts too.
      for (const title of [
        'Change origins',
        'Rotate',
        'Revoke',
        'Delete',
        'Remove',
        'New sign-in link',
        'Suspend',
      ]) {
        for (const button of await page.getByRole('button', { name: title }).all()) {
          await button.click();
          await page.locator('form.card input').last().waitFor();
        }
      }
      const injected = await page.evaluate(() => ({
        elements: document.querySelectorAll(
          'main img[src=x], main script, main [onerror], main [onload]',
        ).length,
        ran: (globalThis as { ran?: string }).ran,
      }));
      expect([hash, injected]).toEqual([hash, { elements: 0, ran: undefined }]);
    };
    await expectText('tokens', ['token-name', 'token-origin', 'user-address']);
    await expectText('styles', ['s']);
    await expectText('team', ['user-address']);
    await expectText('accounts', ['account']);
    await expectText('soundings', ['t']);
    await expectText('users', ['user-address']);
    await expectText('all-tokens', ['token-name']);
    await expectText('audit', ['actor', 'act']);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
