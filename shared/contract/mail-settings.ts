// The settings of a worker that sends email. The service checks them at its start, and the worker uses them.

import { emailAddress } from './team.ts';
import { NO_CONTROLS } from './units.ts';

/** Expected values, by variable. */
export const MAIL_SETTINGS = {
  LEADLINE_SMTP:
    'an smtp or smtps URL if LEADLINE_MAIL_FROM is set, for example smtps://user:password@mail.example',
  LEADLINE_MAIL_FROM:
    'an email address, also with a name, if LEADLINE_SMTP is set, for example Charts <charts@example.com>',
  PUBLIC_URL: 'an http or https URL without a path, for example https://charts.example',
} as const;

export interface MailSettings {
  /** With the user and the password of the mail server. */
  readonly server: string;
  readonly from: { readonly name: string; readonly address: string };
  /** Origin of the service, for links. It is never taken from a request, whose `Host` a stranger may choose. */
  readonly origin: string;
}

/** @returns the settings unless none is set, and the names of missing and invalid variables */
export function readMailSettings(variables: Readonly<Record<string, string | undefined>>): {
  readonly settings?: MailSettings;
  readonly faults: readonly (keyof typeof MAIL_SETTINGS)[];
} {
  const names = ['LEADLINE_SMTP', 'LEADLINE_MAIL_FROM', 'PUBLIC_URL'] as const;
  const [server = '', sender = '', address = ''] = names.map((name) => variables[name]?.trim());
  if (server === '' && sender === '') return { faults: [] };
  const from = senderOf(sender);
  const origin = originOf(address);
  const areValid = [
    /^smtps?:\/\/[^/]/i.test(server) && URL.canParse(server),
    from !== undefined,
    origin !== undefined,
  ];
  const faults = names.filter((_, at) => !areValid[at]);
  if (faults.length > 0 || from === undefined || origin === undefined) return { faults };
  return { settings: { server, from, origin }, faults };
}

/** The origin of an http or https URL without a path. */
export function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol, pathname, search, username } = new URL(text);
  const isPlain = pathname === '/' && search === '' && username === '';
  return isPlain && /^https?:$/.test(protocol) ? origin : undefined;
}

/** An address, or a name and an address in angle brackets. */
function senderOf(text: string): MailSettings['from'] | undefined {
  const [, name = '', bracketed] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? [];
  const { data: address } = emailAddress.safeParse(bracketed ?? text);
  const [isPlain] = NO_CONTROLS;
  return address === undefined || !isPlain(name) ? undefined : { name: name.trim(), address };
}
