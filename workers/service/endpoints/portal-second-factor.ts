// /api/portal/v1/user/secondFactor: set up and end the second factor of the user.

import {
  factorCodeSchema,
  secondFactorSchema,
  secondFactorStartSchema,
  signedInSchema,
} from '../../../shared/contract/portal.ts';
import { type AppContext, jsonAnswer } from '../http/endpoint.ts';
import { limitSignIns } from '../http/rate-limit.ts';
import {
  confirmSecondFactor,
  endSecondFactor,
  startSecondFactor,
} from '../portal/second-factor.ts';
import { type Member, presentUser } from '../portal/session.ts';
import { ApiError } from '../runtime/errors.ts';
import { sessionExample, setCookies } from './portal-auth.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

const PATH = `${PORTAL_PATH}/user/secondFactor`;
const common = { method: 'post', access: 'member' } as const;
const passwordBody = {
  schema: secondFactorStartSchema,
  description: 'The password of the user',
  example: { password: 'seven grey herons' },
} as const;
const conflict = {
  description: 'The user already has a second factor, or none was started',
  error: 'second_factor_conflict',
} as const;
const replaced = jsonAnswer(
  'The session that replaces the one of the request. Also sets the session cookie',
  signedInSchema,
);

/** Counted like passwords: a session that was left open must not serve to guess them. */
const limited = (c: AppContext, { userId }: Member) => limitSignIns(c, `password ${userId}`);

/** The new session, for programs and browsers. */
function answerWith(
  c: AppContext,
  member: Member,
  session: Awaited<ReturnType<typeof confirmSecondFactor>>,
) {
  setCookies(c, session.cookies);
  const token = { id: session.token, userId: member.userId };
  return { token, user: presentUser(member) };
}

export const portalSecondFactor = [
  portalEndpoint({
    ...common,
    path: PATH,
    id: 'portalStartSecondFactor',
    summary: 'Starts to set up a second factor.',
    description:
      'Returns the secret for an authenticator app, and recovery codes, which are not shown again. Signing in with the password needs a code after the first code was confirmed. A one-time link of an administrator needs no code.',
    body: passwordBody,
    answers: {
      200: jsonAnswer('The secret and the recovery codes', secondFactorSchema, {
        uri: 'otpauth://totp/Leadline:harbour%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Leadline&digits=6&period=30',
        recoveryCodes: ['hqv3T-8sXbz', 'Zk1pQ-w7LmN'],
      }),
      409: conflict,
    },
    handle: async ({ c, env, member, body: { password } }) => {
      await limited(c, member);
      return startSecondFactor(c.req.raw, env, password);
    },
  }),
  portalEndpoint({
    ...common,
    path: `${PATH}/confirm`,
    id: 'portalConfirmSecondFactor',
    summary: 'Confirms the second factor with its first code.',
    description: 'Signing in with the password needs a code from now on. The session is replaced.',
    body: {
      schema: factorCodeSchema,
      description: 'A code of the authenticator app',
      example: { code: '492039' },
    },
    answers: {
      200: { ...replaced, example: sessionExample(true) },
      400: { description: 'The code is wrong or has expired', error: 'code_wrong' },
      409: conflict,
    },
    handle: async ({ c, env, member, body: { code } }) => {
      // The library accepts a right code again, and starts no session for it.
      if (member.hasSecondFactor) throw new ApiError('second_factor_conflict');
      await limited(c, member);
      const session = await confirmSecondFactor(c.req.raw, env, member.email, code);
      return answerWith(c, { ...member, hasSecondFactor: true }, session);
    },
  }),
  portalEndpoint({
    ...common,
    path: `${PATH}/end`,
    id: 'portalEndSecondFactor',
    summary: 'Ends the second factor.',
    description: 'Signing in needs the password alone from now on. The session is replaced.',
    body: passwordBody,
    answers: { 200: { ...replaced, example: sessionExample(false) } },
    handle: async ({ c, env, member, body: { password } }) => {
      await limited(c, member);
      const session = await endSecondFactor(c.req.raw, env, password);
      return answerWith(c, { ...member, hasSecondFactor: false }, session);
    },
  }),
];
