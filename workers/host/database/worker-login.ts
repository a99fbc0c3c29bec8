// Creates the Worker's login: a member of the role that migrations grant rights to, with time limits that
// the server enforces.

import { randomBytes } from 'node:crypto';
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import { locked } from './migrations.ts';

/** Created by the first migration; has all rights that the service needs. */
const RUNTIME_ROLE = 'leadline_runtime';

/** Set on the role, because a connection pooler does not preserve SET. */
const LIMITS = {
  statement_timeout: '3s',
  lock_timeout: '1s',
  idle_in_transaction_session_timeout: '5s',
} as const;

export const newPassword = (): string => randomBytes(24).toString('base64url');

/** Advisory lock for changes of logins. */
const LOCK = 5_323_237;

/**
 * Create the login, or change its password, in one transaction.
 * @param client connected as the owner of the tables
 */
export async function setWorkerLogin(client: Client, name: string, password: string) {
  const login = escapeIdentifier(name);
  await locked(client, LOCK, async () => {
    const known = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
    if (known.rowCount === 0) await client.query(`CREATE ROLE ${login}`);
    await client.query(`ALTER ROLE ${login} LOGIN PASSWORD ${escapeLiteral(password)}`);
    await addToRole(client, name);
    for (const [setting, value] of Object.entries(LIMITS)) {
      await client.query(`ALTER ROLE ${login} SET ${setting} = '${value}'`);
    }
  });
}

/** @throws Error with a remedy if another owner created the role, for another database of the server */
async function addToRole(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ member: boolean; owner: string }>(
    `SELECT pg_has_role($1, $2, 'MEMBER') AS member, current_user AS owner`,
    [name, RUNTIME_ROLE],
  );
  const [{ member, owner }] = rows as [(typeof rows)[number]];
  if (member) return;
  try {
    await client.query(`GRANT ${RUNTIME_ROLE} TO ${escapeIdentifier(name)}`);
  } catch (cause) {
    if ((cause as { code?: string }).code !== '42501') throw cause;
    throw new Error(
      `Another login created the role ${RUNTIME_ROLE}. As that login or a superuser, run: GRANT ${RUNTIME_ROLE} TO ${escapeIdentifier(owner)} WITH ADMIN OPTION; Then repeat the command.`,
      { cause },
    );
  }
}
