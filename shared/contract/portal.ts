// Requests and responses of the portal API: users, sessions and API tokens.

import * as z from 'zod';
import { SCOPES } from './scopes.ts';
import { MAX_LIFE_SECONDS } from './token-claims.ts';
import { count, epochMs, NO_CONTROLS } from './units.ts';

/** Roles of users, in the order of their rights. Each role has the rights of the roles before it. */
export const PORTAL_ROLES = ['member', 'moderator', 'owner', 'administrator'] as const;
export type PortalRole = (typeof PORTAL_ROLES)[number];

/** Whether a role has the rights of another. */
export const hasRole = (role: PortalRole, needed: PortalRole): boolean =>
  PORTAL_ROLES.indexOf(role) >= PORTAL_ROLES.indexOf(needed);

/** Lengths of passwords, in characters. */
export const PASSWORD_LENGTH = { least: 10, most: 128 } as const;
const MAX_TOKEN_LIFE_DAYS = MAX_LIFE_SECONDS / 86_400;
export const MAX_ORIGINS = 16;
export const MAX_TOKENS_PER_PAGE = 100;
const MAX_GRACE_SECONDS = 30 * 86_400;

const newPassword = z
  .string()
  .min(PASSWORD_LENGTH.least)
  .max(PASSWORD_LENGTH.most)
  .describe('The new password, 10 to 128 characters');

const currentPassword = z.string().max(PASSWORD_LENGTH.most);
const factorCode = z.string().trim().min(6).max(32);

export const loginSchema = z
  .object({
    username: z.string().max(254).describe('The email address of the user'),
    password: z.string().max(PASSWORD_LENGTH.most).describe('The password of the user'),
    code: factorCode
      .nullish()
      .describe(
        'A code of the authenticator app or a recovery code; for users with a second factor',
      ),
  })
  .meta({ id: 'Login', description: 'Email address, password and code' });
export type Login = z.infer<typeof loginSchema>;

export const secondFactorStartSchema = z
  .object({ password: currentPassword.describe('The password of the user') })
  .meta({ id: 'SecondFactorStart', description: 'The password, which protects the second factor' });

export const secondFactorSchema = z
  .strictObject({
    uri: z
      .string()
      .describe('The secret as an `otpauth` address, which authenticator apps read as a QR code'),
    recoveryCodes: z
      .array(z.string().describe('A recovery code'))
      .describe('Codes that replace the app if it is lost; each works once'),
  })
  .meta({ id: 'SecondFactor', description: 'A second factor that waits for its first code' });

export const factorCodeSchema = z
  .object({ code: factorCode.describe('A code of the authenticator app') })
  .meta({ id: 'FactorCode', description: 'A code of the authenticator app' });

export const linkLoginSchema = z
  .object({ link: z.string().max(128).describe('The token of the link, the text after `#link=`') })
  .meta({ id: 'LinkLogin', description: 'A one-time sign-in link' });

export const passwordChangeSchema = z
  .object({
    password: newPassword,
    currentPassword: currentPassword
      .nullish()
      .describe('The current password; required if the user has one'),
  })
  .meta({ id: 'PasswordChange', description: 'The new password' });

export const signInOptionsSchema = z
  .strictObject({
    hasMail: z.boolean().describe('Whether the service sends links to set a password by email'),
  })
  .meta({ id: 'SignInOptions', description: 'How users can sign in' });

export const passwordRequestSchema = z
  .object({ username: z.string().trim().max(254).describe('The email address of the user') })
  .meta({ id: 'PasswordRequest', description: 'The user who has forgotten the password' });

export const passwordRequestedSchema = z
  .strictObject({ message: z.string().describe('The same text for every email address') })
  .meta({ id: 'PasswordRequested', description: 'An email is sent if there is such a user' });

export const passwordResetSchema = z
  .object({
    link: z.string().max(128).describe('The token of the link, the text after `#password=`'),
    password: newPassword,
  })
  .meta({ id: 'PasswordReset', description: 'A link from an email, and the new password' });

export const portalUserSchema = z
  .strictObject({
    userId: z.string().describe('Id of the user'),
    username: z.string().describe('Email address of the user'),
    role: z.enum(PORTAL_ROLES).describe('Role of the user'),
    isAdmin: z.boolean().describe('Whether the user manages every account of the service'),
    isAccountOwner: z.boolean().describe('Whether the user manages the team of the account'),
    hasSecondFactor: z.boolean().describe('Whether signing in with the password needs a code'),
    account: z
      .strictObject({
        id: z.string().describe('Id of the account'),
        name: z.string().describe('Name of the account; the same as its id'),
      })
      .describe('The account of the user'),
  })
  .meta({ id: 'PortalUser', description: 'A signed-in user' });
export type PortalUser = z.infer<typeof portalUserSchema>;

export const signedInSchema = z
  .strictObject({
    token: z
      .strictObject({
        id: z.string().describe('The session token, for `Authorization: Bearer …`'),
        userId: z.string().describe('Id of the user'),
      })
      .describe('The session, for programs; browsers use the cookie'),
    user: portalUserSchema,
  })
  .meta({ id: 'SignedIn', description: 'A new session and its user' });

const name = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .refine(...NO_CONTROLS);
const restrictions = z
  .object({
    hosts: z
      .array(z.string().max(256))
      // `null` permits every page. An empty list could be read as none or as every.
      .min(1)
      .max(MAX_ORIGINS)
      .describe('Hosts or origins of the pages, such as `example.com` or `http://localhost:5173`'),
  })
  .describe('Where the token may be used; `null` for everywhere');

const scopes = z.array(z.enum(SCOPES)).min(1).max(SCOPES.length);

export const apiTokenInputSchema = z
  .object({
    name: name.describe('Name of the token, shown in lists'),
    restrictions: restrictions.nullish(),
    scopes: scopes
      .nullish()
      .describe('What the token may do; the public scopes by default, which fit a web page'),
    expiresInDays: z
      .number()
      .int()
      .min(1)
      .max(MAX_TOKEN_LIFE_DAYS)
      .nullish()
      .describe('Lifetime in days; without it the token does not expire'),
  })
  .meta({ id: 'ApiTokenInput', description: 'A new API token' });

export const apiTokenChangeSchema = z
  .object({
    name: name.nullish().describe('New name of the token'),
    restrictions: restrictions.nullable().optional(),
  })
  .meta({ id: 'ApiTokenChange', description: 'The fields to change' });

export const rotationSchema = z
  .object({
    graceSeconds: z
      .number()
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .nullish()
      .describe('Time until the old token becomes invalid, in seconds; a day by default'),
  })
  .meta({ id: 'ApiTokenRotation', description: 'How the old token ends' });

const fields = {
  id: z.string().describe('Id of the token. The text of the token is not stored'),
  accountId: z.string().describe('Id of the account of the token'),
  name: z.string().describe('Name of the token'),
  userId: z.string().nullable().describe('Id of the user who created it; `null` for the operator'),
  userEmail: z.string().nullable().describe('Email address of this user'),
  createdAt: epochMs.describe('Time of creation, epoch milliseconds'),
  lastUsedAt: epochMs
    .nullable()
    .describe('Start of the last day with a request, in UTC, epoch milliseconds'),
  restrictions: restrictions.nullable(),
  scopes: scopes.describe('What the token may do'),
  isPublic: z.boolean().describe('Whether the token may be part of a web page or an app'),
  isOpaque: z
    .boolean()
    .describe('Whether the token is opaque (32 digits); only opaque tokens can be changed here'),
  state: z
    .enum(['good', 'expired', 'revoked', 'suspended', 'outdated'])
    .describe('Whether the service accepts the token'),
  expiresAt: epochMs.nullable().describe('Time of expiry; `null` if it does not expire'),
  revokedAt: epochMs.nullable().describe('Time when it ends or ended; `null` if not revoked'),
  requests30Days: count.describe('Number of requests in the last 30 days'),
};

export const portalTokenSchema = z
  .strictObject(fields)
  .meta({ id: 'ApiToken', description: 'An API token of the account, without its text' });
export type PortalToken = z.infer<typeof portalTokenSchema>;

export const newPortalTokenSchema = z
  .strictObject({
    ...fields,
    token: z.string().describe('The text of the token. It is returned only once'),
  })
  .meta({ id: 'NewApiToken', description: 'A new API token, with its text' });

export const usageSchema = z
  .strictObject({
    days: z
      .array(
        z.strictObject({
          day: z.string().describe('Day in UTC'),
          requests: count.describe('Number of requests with the tokens of the account'),
          refused: count.describe('Of these, the number with a status from 400 to 499'),
          failed: count.describe('Number of these requests with a status of 500 or more'),
          kinds: z
            .record(z.string(), count)
            .describe('Number of requests of each group of endpoints, such as `Tiles`'),
        }),
      )
      .describe('Days with requests, oldest first'),
  })
  .meta({ id: 'AccountUsage', description: 'Requests of the account by day' });
export type AccountUsage = z.output<typeof usageSchema>;
