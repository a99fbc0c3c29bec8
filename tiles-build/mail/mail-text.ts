// The texts of the emails.

/** An email to send. */
export interface Mail {
  readonly kind: 'invitation' | 'reset';
  readonly address: string;
  /** Account of the user. */
  readonly account: string;
}

/** @param token of the link */
export function mailText({ kind, address, account }: Mail, origin: string, token: string) {
  const link = `${origin}/portal#password=${token}`;
  if (kind === 'invitation') {
    return {
      subject: `Invitation to the charts at ${new URL(origin).host}`,
      text: `You were invited to the account ${account} at ${origin}.

Choose a password:
${link}

The link works once, within a day. Afterwards, sign in with ${address} and your password.
If the link has expired, use "Forgot your password?" at ${origin}/portal.
`,
    };
  }
  return {
    subject: `New password for ${new URL(origin).host}`,
    text: `A new password was requested for ${address} at ${origin}.

Choose a new password:
${link}

The link works once, within a day. If you did not request it, ignore this email: your password stays the same.
`,
  };
}
