// Requests and responses of the portal API about the team of an account.

import * as z from 'zod';
import { PORTAL_ROLES } from './portal.ts';
import { epochMs } from './units.ts';

/** Roles that an owner can give. */
export const TEAM_ROLES = ['member', 'moderator', 'owner'] as const;
export const MAX_USERS_PER_PAGE = 100;

/** An email address in lower case. The sign-in library makes links only for addresses of this form. */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .min(3)
  .max(254)
  .check(z.email('must be an email address, such as jane@example.com'));

const role = z.enum(TEAM_ROLES);

export const invitationSchema = z
  .object({
    username: emailAddress.describe('Email address of the new user'),
    role: role.describe('Role of the new user'),
  })
  .meta({ id: 'Invitation', description: 'A new user of the account' });

export const ownerInvitationSchema = z
  .object({ username: emailAddress.describe('Email address of the new owner') })
  .meta({ id: 'OwnerInvitation', description: 'The first owner of an account' });

export const memberChangeSchema = z
  .object({
    role: role.nullish().describe('The new role of the user'),
    suspended: z
      .boolean()
      .nullish()
      .describe('Whether the user is suspended; a suspended user cannot sign in'),
  })
  .meta({ id: 'TeamMemberChange', description: 'The fields to change' });

export const teamMemberSchema = z
  .strictObject({
    userId: z.string().describe('Id of the user'),
    username: z.string().describe('Email address of the user'),
    accountId: z.string().describe('Id of the account of the user'),
    role: z.enum(PORTAL_ROLES).describe('Role of the user'),
    createdAt: epochMs.describe('Time of the invitation, epoch milliseconds'),
    suspendedAt: epochMs
      .nullable()
      .describe('Time of the suspension, epoch milliseconds; `null` if not suspended'),
    lastSeenAt: epochMs
      .nullable()
      .describe('Time of the last use of a session, epoch milliseconds; `null` without a session'),
    hasPassword: z.boolean().describe('Whether the user has set a password'),
  })
  .meta({ id: 'TeamMember', description: 'A user of the account' });
export type TeamMember = z.infer<typeof teamMemberSchema>;

export const memberLinkSchema = z
  .strictObject({
    user: teamMemberSchema,
    link: z
      .string()
      .describe('One-time sign-in link. It is returned only once; send it to the user'),
    expiresAt: epochMs.describe('Time when the link ends, epoch milliseconds'),
    isMailed: z
      .boolean()
      .describe('Whether the service also sends the user a link to set a password by email'),
  })
  .meta({ id: 'MemberLink', description: 'A user with a new sign-in link' });
export type MemberLink = z.infer<typeof memberLinkSchema>;
