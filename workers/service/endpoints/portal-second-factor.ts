// /api/portal/v1/user/secondFactor: set up and end the second factor of the user.

import {
  factorCodeSchema,
  secondFactorSchema,
  secondFactorStartSchema,
  signedInSchema,
} from '../../../shared/contract/portal.ts';
import { type AppContext, type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { limitSignIns } from '../http/rate-limit.ts';
import {
  confirmSecondFactor,
  endSecondFactor,
  startSecondFactor,
} from '../portal/second-factor.ts';
import { presentUser } from '../portal/session.ts';
import {
  badBody,
  PORTAL_PATH,
  portalMember,
  readPortalBody,
  sessionExample,
} from './portal-auth.ts';

const PATH = `${PORTAL_PATH}/user/secondFactor`;
const common = {
  method: 'post',
  tag: 'Portal',
  access: { kind: 'session', role: 'member' },
} as const;
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
const limited = (c: AppContext) => limitSignIns(c, `password ${portalMember(c).userId}`);

/** The new session, for programs and browsers. */
async function answerWith(
  c: AppContext,
  hasSecondFactor: boolean,
  session: Awaited<ReturnType<typeof confirmSecondFactor>>,
): Promise<Response> {
  const member = { ...portalMember(c), hasSecondFactor };
  for (const cookie of session.cookies) c.header('set-cookie', cookie, { append: true });
  const token = { id: session.token, userId: member.userId };
  return c.json({ token, user: presentUser(member) }, 200, { 'cache-control': 'no-store' });
}

export const portalSecondFactor: readonly Endpoint[] = [
  {
    ...common,
    path: PATH,
    id: 'portalStartSecondFactor',
    summary: 'Starts to set up a second factor.',
    description:
      'Returns the secret for an authenticator app, and recovery codes, which are not shown again. Signing in with the password needs a code after the first code was confirmed. A one-time link of an administrator needs no code.',
    body: passwordBody,
    answers: {
      200: {
        description: 'The secret and the recovery codes',
        contentType: 'application/json',
        schema: secondFactorSchema,
        example: {
          uri: 'otpauth://totp/Leadline:harbour%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Leadline&digits=6&period=30',
          recoveryCodes: ['hqv3T-8sXbz', 'Zk1pQ-w7LmN'],
        },
      },
      400: badBody,
      409: conflict,
    },
    handle: async (c) => {
      const { password } = await readPortalBody(c, secondFactorStartSchema);
      await limited(c);
      return c.json(await startSecondFactor(c.req.raw, c.env, password), 200, {
        'cache-control': 'no-store',
      });
    },
  },
  {
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
    handle: async (c) => {
      const { code } = await readPortalBody(c, factorCodeSchema);
      await limited(c);
      return answerWith(c, true, await confirmSecondFactor(c.req.raw, c.env, code));
    },
  },
  {
    ...common,
    path: `${PATH}/end`,
    id: 'portalEndSecondFactor',
    summary: 'Ends the second factor.',
    description: 'Signing in needs the password alone from now on. The session is replaced.',
    body: passwordBody,
    answers: { 200: { ...replaced, example: sessionExample(false) }, 400: badBody },
    handle: async (c) => {
      const { password } = await readPortalBody(c, secondFactorStartSchema);
      await limited(c);
      return answerWith(c, false, await endSecondFactor(c.req.raw, c.env, password));
    },
  },
];
