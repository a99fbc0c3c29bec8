// The folder of a service's state: what lies where in it, and that one service at a time serves from
// it.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const chartsStore = (data: string): string => join(data, 'store', 'charts');
export const edgeStore = (data: string): string => join(data, 'store', 'edge');

interface Claim {
  readonly supervisor: number;
  readonly runtime: number | undefined;
}

const claimFile = (data: string) => join(data, 'serving.json');

/** One that is ending needs a moment. */
const CLAIM_LIMIT_MS = 6000;

/**
 * Claim the folder for this process. A runtime that a killed supervisor left behind is ended.
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
  const { runtime } = readClaim(data) ?? {};
  if (runtime !== undefined && isProgram(runtime, /workerd/)) process.kill(runtime, 'SIGKILL');
  noteRuntime(data, undefined);
}

function otherSupervisor(data: string): number | undefined {
  const { supervisor } = readClaim(data) ?? {};
  if (supervisor === undefined || supervisor === process.pid) return undefined;
  return isProgram(supervisor, /serve|leadline/) ? supervisor : undefined;
}

/** Remember which runtime is ours, for whoever comes after us. */
export function noteRuntime(data: string, runtime: number | undefined): void {
  const claim: Claim = { supervisor: process.pid, runtime };
  writeFileSync(claimFile(data), JSON.stringify(claim));
}

export function releaseState(data: string): void {
  if (readClaim(data)?.supervisor === process.pid) rmSync(claimFile(data), { force: true });
}

function readClaim(data: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(claimFile(data), 'utf8')) as Claim;
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
