// Users of the portal: creates them, and makes one-time sign-in links.

import { randomBytes, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { PortalRole } from '../../../shared/contract/portal.ts';
import { emailAddress } from '../../../shared/contract/team.ts';
import {
  portalCredential,
  portalPasskey,
  portalSession,
  portalUser,
} from '../../service/db/portal-tables.ts';
import { createAuth } from '../../service/portal/auth.ts';
import { ensureAccount, lockedAccount } from './accounts.ts';
import { type Administrator, brokenRule, type Registry, recorded } from './registry.ts';

/** A user to create. */
interface NewUser {
  readonly email: string;
  readonly account: string;
  readonly role: PortalRole;
  /** Without it the user needs a sign-in link. */
  readonly password?: string | undefined;
}

/** @throws Error if the account is unknown, or the address is invalid or taken */
export async function createUser(administrator: Administrator, user: NewUser): Promise<void> {
  const { data: email } = emailAddress.safeParse(user.email);
  if (email === undefined) {
    throw new Error(
      `"${user.email}" is not an email address. Expected for example jane@example.com.`,
    );
  }
  const { password, account: accountId, role } = user;
  const hash = password === undefined ? undefined : await hashed(administrator.registry, password);
  await recorded(administrator, async (tx, writeDown) => {
    await lockedAccount(tx, accountId);
    const id = randomUUID();
    const now = new Date();
    const times = { createdAt: now, updatedAt: now };
    const [made] = await tx
      .insert(portalUser)
      .values({ id, accountId, role, email, name: '', emailVerified: true, ...times })
      .onConflictDoNothing()
      .returning({ id: portalUser.id });
    if (made === undefined) throw new Error(`There is a user ${email} already.`);
    if (hash !== undefined) {
      const by = { providerId: 'credential', accountId: id, password: hash };
      await tx.insert(portalCredential).values({ id: randomUUID(), userId: id, ...by, ...times });
    }
    await writeDown({ act: 'user create', accountId, detail: { userId: id, role } });
  });
}

async function hashed(registry: Registry, password: string): Promise<string> {
  const { password: rules } = await libraryOver(registry).$context;
  const { minPasswordLength: least, maxPasswordLength: most } = rules.config;
  if (password.length < least || password.length > most) {
    throw new Error(`The password must have ${least} to ${most} characters.`);
  }
  return rules.hash(password);
}

/**
 * Creates a one-time sign-in link. Older links of the user become invalid. @returns the token of the link
 * @throws Error if there is no such user
 */
export async function createLink({ registry }: Administrator, email: string): Promise<string> {
  let link: string | undefined;
  const library = libraryOver(registry, (token) => {
    link = token;
  });
  const { email: address } = await activeUserOf(registry, email);
  await library.api.signInMagicLink({ body: { email: address }, headers: new Headers() });
  return link!;
}

/** The address that signs in. @param address any address of the service */
export const signInLink = (address: string, token: string): string =>
  `${new URL(address).origin}/portal#link=${token}`;

/** Removes the password and the passkeys of a user, ends the sessions and creates a link. @returns the token of the link */
export async function resetUser(administrator: Administrator, email: string): Promise<string> {
  const { id, accountId } = await activeUserOf(administrator.registry, email);
  await recorded(administrator, async (tx, writeDown) => {
    // Locks the user, so that no session starts before the end.
    await tx.select().from(portalUser).where(eq(portalUser.id, id)).for('update');
    await tx.delete(portalSession).where(eq(portalSession.userId, id));
    await tx.delete(portalPasskey).where(eq(portalPasskey.userId, id));
    await tx.delete(portalCredential).where(eq(portalCredential.userId, id));
    await writeDown({ act: 'user reset', accountId, detail: { userId: id } });
  });
  return createLink(administrator, email);
}

/** Creates the first user, an administrator, unless users exist. @returns whether the user was created */
export async function ensureAdministrator(
  administrator: Administrator,
  user: Omit<NewUser, 'role'>,
): Promise<boolean> {
  const [known] = await administrator.registry.select().from(portalUser).limit(1);
  if (known !== undefined) return false;
  const rights = { plan: 'enterprise', pilot: true, admin: true, note: null } as const;
  await ensureAccount(administrator, user.account, rights);
  await createUser(administrator, { ...user, role: 'administrator' });
  return true;
}

/** Address of an administrator who is created without one. It has no password. */
const NAMELESS = 'administrator@leadline.example';

/**
 * Create an administrator without a password unless there are users. @returns the token of a sign-in link,
 * or `undefined` if there were users
 */
export async function createFirstLink(
  administrator: Administrator,
  account: string,
): Promise<string | undefined> {
  const isFirst = await ensureAdministrator(administrator, { email: NAMELESS, account });
  return isFirst ? createLink(administrator, NAMELESS) : undefined;
}

export const listUsers = ({ registry }: Administrator) =>
  registry.select().from(portalUser).orderBy(portalUser.accountId, portalUser.email);

/**
 * Suspends a user, which ends the sessions and refuses new ones, or resumes the user.
 * @returns whether that changed the user
 * @throws Error if there is no such user, or if the account would have no owner
 */
export async function suspendUser(
  { registry, actor }: Administrator,
  email: string,
  suspends: boolean,
): Promise<boolean> {
  const { id, accountId } = await userOf(registry, email);
  const { rows } = await registry
    .execute<{ done: boolean }>(sql`SELECT suspend_user(${actor}, ${id}, ${suspends}) AS done`)
    .catch((error: unknown) => {
      throw brokenRule(error) === 'last_owner'
        ? new Error(`The account ${accountId} would have no owner. Suspend the account instead.`)
        : error;
    });
  return rows[0]!.done;
}

/** @throws Error if there is no such user, or if the user is suspended */
async function activeUserOf(registry: Registry, email: string) {
  const found = await userOf(registry, email);
  if (found.suspendedAt === null) return found;
  throw new Error(
    `The user ${found.email} is suspended. To resume: npm run tokens -- user resume ${found.email}`,
  );
}

async function userOf(registry: Registry, email: string) {
  const address = email.trim().toLowerCase();
  const [found] = await registry.select().from(portalUser).where(eq(portalUser.email, address));
  if (found !== undefined) return found;
  throw new Error(`There is no user ${address}. To list the users: npm run tokens -- user list`);
}

/** The sign-in library. Nothing is signed here, so each call has its own secret. */
const libraryOver = (registry: Registry, onLink?: (token: string) => void) =>
  createAuth({
    database: registry,
    secret: randomBytes(32).toString('hex'),
    origin: 'http://localhost',
    ...(onLink === undefined ? {} : { onLink }),
  });
