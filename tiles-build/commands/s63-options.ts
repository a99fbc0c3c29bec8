// The options and settings for encrypted cells (S-63), which several commands have.

import { readFileSync, statSync } from 'node:fs';
import { basename, delimiter } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import { SEAL_SETTING, SealBroken, sealKey } from '../archive/seal.ts';
import { dayOf, isDay } from '../s63/days.ts';
import {
  IDENTITY_SETTINGS,
  type Identity,
  IdentityInvalid,
  readIdentity,
} from '../s63/identity.ts';
import { joinPermits, type PermitFile, readPermitFile, refusedRecords } from '../s63/permits.ts';
import { readTrustedKey, type TrustedKey } from '../s63/trusted-key.ts';
import type { UnlockSettings } from '../s63/unlock.ts';
import type { Licensing } from '../uploads/licences.ts';
import { CommandEnd, EXIT } from './exit.ts';

export interface S63Options {
  readonly permits?: readonly string[];
  readonly sa?: readonly string[];
  readonly licenceDate?: string;
}

/** Environment variable with paths of the scheme administrator's keys. */
const KEYS_SETTING = 'LEADLINE_S63_SA';
/** No permit file or key is larger. */
const MAX_BYTES = 32 * 1024 * 1024;

export const S63_HELP = `
Encrypted charts (S-63): --permits names the permit file, and the settings are environment variables:
${IDENTITY_SETTINGS.manufacturerId}, ${IDENTITY_SETTINGS.manufacturerKey} and ${IDENTITY_SETTINGS.hardwareId} (the ids and the key of your S-63 agreement),
${KEYS_SETTING} (or --sa: IHO.CRT or IHO.PUB) and, for builds, ${SEAL_SETTING} (64 hexadecimal digits, for
example from: openssl rand -hex 32). \`charts permit\` prints the user permit and checks permit files.`;

export const licenceDateOption = (): Option =>
  new Option(
    '--licence-date <day>',
    'date with which the expiry of licences is compared (default: today)',
  ).argParser(day);

export const keysOption = (): Option =>
  new Option(
    '--sa <file>',
    `certificate or public key of the S-63 scheme administrator (default: ${KEYS_SETTING}); repeatable`,
  ).argParser(collect);

/** Add the options to a command. */
export function withS63Options(command: Command): Command {
  return command
    .option('--permits <file>', 'permit file for encrypted (S-63) charts; repeatable', collect)
    .addOption(keysOption())
    .addOption(licenceDateOption());
}

/** The identity in the settings. @throws CommandEnd if it is incomplete or invalid */
export function identityOf(): Identity {
  try {
    return readIdentity(process.env);
  } catch (error) {
    if (error instanceof IdentityInvalid) throw new CommandEnd(EXIT.usage, error.message);
    throw error;
  }
}

export const todayOf = ({ licenceDate }: S63Options): string => licenceDate ?? dayOf(Date.now());

/**
 * What is needed to decrypt charts; undefined without `--permits`.
 * @throws CommandEnd if a file or a setting is absent or invalid
 */
export function unlockSettingsOf(options: S63Options): UnlockSettings | undefined {
  if (options.permits === undefined) return undefined;
  return settingsWith(options, readPermits(options.permits, identityOf()));
}

/** @throws CommandEnd if a key of the scheme administrator is absent */
function settingsWith(options: S63Options, files: readonly PermitFile[]): UnlockSettings {
  const today = todayOf(options);
  const { trusted, problems } = readKeys(options.sa ?? keysInSettings(), today);
  const refused = refusedRecords(files);
  return { permits: joinPermits(files), trusted, today, problems: [...problems, ...refused] };
}

/**
 * The settings with which accounts upload encrypted charts and permits.
 * @throws CommandEnd if a setting is absent or invalid
 */
export function licensingOf(options: S63Options): Licensing {
  demandSealKey();
  const identity = identityOf();
  // Keys are read for each job: the operator may replace them.
  const settingsFor = (files: readonly PermitFile[]) => settingsWith(options, files);
  settingsFor([]);
  return { identity, settingsFor };
}

/** @throws CommandEnd if a file does not exist */
export function readPermits(paths: readonly string[], identity: Identity): readonly PermitFile[] {
  return paths.map((path) => readPermitFile(bytesIn(path), basename(path), identity.hardwareId));
}

/** Check the key that seals decrypted charts. @throws CommandEnd if it is absent or malformed */
export function demandSealKey(): void {
  try {
    if (sealKey() !== undefined) return;
  } catch (error) {
    if (error instanceof SealBroken) throw new CommandEnd(EXIT.usage, error.message);
    throw error;
  }
  throw new CommandEnd(EXIT.usage, `Set ${SEAL_SETTING} to build from encrypted charts (--help).`);
}

function readKeys(paths: readonly string[], today: string) {
  const trusted: TrustedKey[] = [];
  const problems: Problem[] = [];
  for (const path of paths) {
    const read = readTrustedKey(bytesIn(path), path, today);
    for (const problem of read.problems) problems.push(problem);
    if (read.key !== undefined) trusted.push(read.key);
  }
  if (trusted.length === 0) return { trusted, problems };
  // A certificate that another one has replaced prevents nothing.
  const warnings = problems.map((one): Problem => ({ ...one, severity: 'warning' }));
  return { trusted, problems: warnings };
}

const keysInSettings = (): readonly string[] =>
  (process.env[KEYS_SETTING] ?? '').split(delimiter).filter((path) => path !== '');

function bytesIn(path: string): Uint8Array {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info?.isFile() !== true) throw new CommandEnd(EXIT.missing, `There is no file "${path}".`);
  if (info.size > MAX_BYTES) throw new CommandEnd(EXIT.refused, `${path} is too large.`);
  return new Uint8Array(readFileSync(path));
}

/** Parse an option that can be repeated. */
export function collect(path: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), path];
}

function day(text: string): string {
  const value = text.replaceAll('-', '');
  if (isDay(value)) return value;
  throw new InvalidArgumentError('Expected a day, for example 2026-01-31.');
}
