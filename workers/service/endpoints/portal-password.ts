// /api/portal/v1/auth/options, …/forgotPassword and …/resetPassword: a new password by a link in an email.

import {
  passwordRequestedSchema,
  passwordRequestSchema,
  passwordResetSchema,
  signInOptionsSchema,
} from '../../../shared/contract/portal.ts';
import { hasMail, requestReset } from '../db/mail-store.ts';
import { jsonAnswer } from '../http/endpoint.ts';
import { limitNetwork, limitSignIns } from '../http/rate-limit.ts';
import { authSecretOf } from '../portal/ask-auth.ts';
import { resetPassword } from '../portal/session.ts';
import { signInAnswers } from './portal-auth.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

const { 404: disabled, 429: tooMany } = signInAnswers;
const REQUESTED = {
  message: 'If there is a user with this email address, an email with a link is sent.',
};

export const portalPassword = [
  portalEndpoint({
    method: 'get',
    path: `${PORTAL_PATH}/auth/options`,
    id: 'portalSignInOptions',
    summary: 'Returns how users can sign in.',
    description: 'The sign-in page offers to send a link only if `hasMail` is true.',
    access: { kind: 'public' },
    answers: {
      200: jsonAnswer('The options', signInOptionsSchema, { hasMail: true }),
      404: disabled,
      429: tooMany,
    },
    handle: async ({ c, env }) => {
      await limitNetwork(c);
      await authSecretOf(env);
      return { hasMail: await hasMail(env) };
    },
  }),
  portalEndpoint({
    method: 'post',
    path: `${PORTAL_PATH}/auth/forgotPassword`,
    id: 'portalForgotPassword',
    summary: 'Sends a link to set a new password by email.',
    description:
      'The response is the same for every email address. Unknown addresses and suspended users get no email. The link works once, within a day; the password stays valid until a link is used. An address gets at most one email in five minutes, and five in a day; the users of an account get emails at 100 addresses in a day.',
    access: { kind: 'public' },
    body: {
      schema: passwordRequestSchema,
      description: 'Email address of the user',
      example: { username: 'harbour@example.com' },
    },
    answers: {
      202: jsonAnswer('The request was accepted', passwordRequestedSchema, REQUESTED),
      404: disabled,
      409: { description: 'The service sends no email', error: 'mail_not_configured' },
      429: tooMany,
    },
    handle: async ({ c, env, body: { username } }) => {
      await limitSignIns(c, `mail ${username}`);
      await authSecretOf(env);
      await requestReset(env, username);
      return REQUESTED;
    },
  }),
  portalEndpoint({
    method: 'post',
    path: `${PORTAL_PATH}/auth/resetPassword`,
    id: 'portalResetPassword',
    summary: 'Sets the password with a link from an email.',
    description:
      'Ends all sessions and links of the user. Sign in with the new password next: a second factor stays, and so do passkeys.',
    access: { kind: 'public' },
    body: {
      schema: passwordResetSchema,
      description: 'The token of the link, and the new password',
      example: {
        link: '9s3kQzvGmWbTnRcYpLsDfHjXaEuIoNwMqBt-4_2Zx81',
        password: 'seven grey herons',
      },
    },
    answers: {
      204: { description: 'The password is set' },
      401: {
        description: 'The link is invalid, has expired or was used',
        error: 'sign_in_failed',
      },
      403: { description: 'The user is suspended', error: 'user_suspended' },
      404: disabled,
      429: tooMany,
    },
    handle: async ({ c, env, body: { link, password } }) => {
      await limitSignIns(c);
      await resetPassword(c.req.raw, env, link, password);
    },
  }),
];
