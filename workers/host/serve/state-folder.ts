// The folder of a service's state: what lies where in it, and that one service at a time serves from
// it.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export const chartsStore = (data: string): string => join(data, 'store', 'charts');
export const edgeStore = (data: string): string => join(data, 'store', 'edge');

interface Claim {
  readonly supervisor: number;
  /** Ids of the runtime's processes. */
  readonly runtimes: readonly number[];
  /** Folder of the runtime's configurations and sockets, which goes with the supervisor. */
  readonly scratch: string | undefined;
}

const SCRATCH = 'leadline-run-';

/** A new folder that we alone may enter, in the system's place for such. */
export function makeScratch(): string {
  const scratch = mkdtempSync(join(tmpdir(), SCRATCH));
  chmodSync(scratch, 0o700);
  return scratch;
}

const claimFile = (data: string) => join(data, 'serving.json');

/** One that is ending needs a moment. */
const CLAIM_LIMIT_MS = 6000;

/**
 * Claim the folder for this process. The runtimes and the scratch folder that a killed supervisor left
 * behind are ended and deleted.
 * @throws Error where another process serves from it, and goes on doing so
 */
export async function claimState(data: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += 100) {
    const other = otherSupervisor(data);
    if (other === undefined) break;
    if (waitedMs >= CLAIM_LIMIT_MS)
      throw new Error(`Process ${other} serves from ${data} already.`);
    await new Promise((done) => setTimeout(done, 100));
  }
  mkdirSync(data, { recursive: true });
  for (const folder of [chartsStore(data), edgeStore(data)]) mkdirSync(folder, { recursive: true });
  const { runtimes = [], scratch } = readClaim(data) ?? {};
  for (const one of runtimes) if (isProgram(one, /workerd/)) process.kill(one, 'SIGKILL');
  if (scratch !== undefined && basename(scratch).startsWith(SCRATCH)) {
    rmSync(scratch, { recursive: true, force: true });
  }
  noteRun(data, {});
}

function otherSupervisor(data: string): number | undefined {
  const { supervisor } = readClaim(data) ?? {};
  if (supervisor === undefined || supervisor === process.pid) return undefined;
  return isProgram(supervisor, /serve|leadline/) ? supervisor : undefined;
}

/** Remember what is ours, for whoever comes after us. */
export function noteRun(
  data: string,
  { runtimes = [], scratch }: Partial<Pick<Claim, 'runtimes' | 'scratch'>>,
): void {
  const claim: Claim = { supervisor: process.pid, runtimes, scratch };
  writeFileSync(claimFile(data), JSON.stringify(claim));
}

export function releaseState(data: string): void {
  if (readClaim(data)?.supervisor === process.pid) rmSync(claimFile(data), { force: true });
}

/** A claim, which a version before this one may have written. */
function readClaim(data: string): Partial<Claim> | undefined {
  try {
    return JSON.parse(readFileSync(claimFile(data), 'utf8')) as Partial<Claim>;
  } catch {
    return undefined;
  }
}

/** Ids of processes come round again: the one named may be anybody's. */
function isProgram(pid: number, name: RegExp): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return name.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
