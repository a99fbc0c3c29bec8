// The data folder of a service: its layout, and the claim that lets only one service use it.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Log, logLine, reasonOf } from '../database/json-log.ts';
import { assertRestored } from '../database/local-database.ts';
import { commandOf } from '../database/process.ts';

export const chartsStore = (data: string): string => join(data, 'store', 'charts');
/** Uploads are in the bucket of the charts, where their worker reads them. */
export const uploadsStore = (data: string): string => join(chartsStore(data), 'chart-uploads');
export const edgeStore = (data: string): string => join(data, 'store', 'edge');

interface Claim {
  readonly supervisor: number;
  /** Process ids of the runtimes. */
  readonly runtimes: readonly number[];
  /** Temporary folder of the runtimes' configurations and sockets. */
  readonly scratch: string | undefined;
}

const SCRATCH = 'leadline-run-';

/** A new temporary folder with mode 0700. */
export function makeScratch(): string {
  const scratch = mkdtempSync(join(tmpdir(), SCRATCH));
  chmodSync(scratch, 0o700);
  return scratch;
}

const claimFile = (data: string) => join(data, 'serving.json');

/** Time that a stopping service has to release the folder. */
const CLAIM_LIMIT_MS = 6000;

/**
 * Claim the folder for this process. Ends the runtimes and deletes the temporary folder of a supervisor
 * that was killed.
 * @throws Error if another process still uses the folder after 6 seconds, or a restore into it is not complete
 */
export async function claimState(data: string, log: Log = logLine): Promise<void> {
  assertRestored(data);
  for (let waitedMs = 0; ; waitedMs += 100) {
    const other = otherSupervisor(data);
    if (other === undefined) break;
    if (waitedMs >= CLAIM_LIMIT_MS)
      throw new Error(
        `Process ${other} already uses ${data}. Stop it, or choose another folder with --data.`,
      );
    await new Promise((done) => setTimeout(done, 100));
  }
  mkdirSync(data, { recursive: true });
  for (const folder of [uploadsStore(data), edgeStore(data)])
    mkdirSync(folder, { recursive: true });
  const { runtimes = [], scratch } = readClaim(data) ?? {};
  for (const one of runtimes) if (isProgram(one, /workerd/)) process.kill(one, 'SIGKILL');
  if (scratch !== undefined && basename(scratch).startsWith(SCRATCH)) {
    rmSync(scratch, { recursive: true, force: true });
  }
  noteRun(data, {}, log);
}

function otherSupervisor(data: string): number | undefined {
  const { supervisor } = readClaim(data) ?? {};
  return supervisor !== undefined && isOtherLeadline(supervisor) ? supervisor : undefined;
}

/**
 * Record the runtimes and the temporary folder, so that the next supervisor can clean up. If the disk is
 * full or read-only, the fault is logged: charts are served without the record.
 */
export function noteRun(
  data: string,
  { runtimes = [], scratch }: Partial<Pick<Claim, 'runtimes' | 'scratch'>>,
  log: Log,
): void {
  const claim: Claim = { supervisor: process.pid, runtimes, scratch };
  try {
    writeFileSync(claimFile(data), JSON.stringify(claim));
  } catch (error) {
    log({ kind: 'fault', where: 'data folder', message: reasonOf(error) });
  }
}

export function releaseState(data: string): void {
  if (readClaim(data)?.supervisor === process.pid) rmSync(claimFile(data), { force: true });
}

/** Fields may be missing, because an older version may have written the claim. */
function readClaim(data: string): Partial<Claim> | undefined {
  try {
    return JSON.parse(readFileSync(claimFile(data), 'utf8')) as Partial<Claim>;
  } catch {
    return undefined;
  }
}

/**
 * Whether the process is a program of the service, and neither this one nor its keeper, which may have got the id of
 * a process that ended.
 */
export const isOtherLeadline = (pid: number): boolean =>
  ![process.pid, process.ppid].includes(pid) && isProgram(pid, /leadline|host\/serve\//);

/** Checks the command line, because process ids are reused. */
function isProgram(pid: number, name: RegExp): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return name.test(commandOf(pid));
}
