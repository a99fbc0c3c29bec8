import { readFileSync, readlinkSync } from 'node:fs';

/** Whether a process with this id exists, of any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Identifies a process among those of all machines: by the start of its machine, its container, its id and its
 * start time. `undefined` if there is no such process, and on other systems than Linux.
 */
export function processMark(pid = process.pid): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const container = readlinkSync('/proc/self/ns/pid');
    // The name of the program, in parentheses, may contain spaces. The start time is the 22nd field.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return [boot, container, pid, fields[19]].join(' ');
  } catch {
    return undefined;
  }
}

/**
 * Whether the process of a mark is known to have ended. Nothing is known about other containers and machines.
 * @param isHere whether the process ran on this machine: another start of the machine has ended it
 */
export function hasEnded(mark: string, isHere = false): boolean {
  const own = processMark()?.split(' ');
  const [boot, container, id] = mark.split(' ');
  if (own === undefined || mark === '') return false;
  if (boot !== own[0]) return isHere;
  if (container !== own[1]) return false;
  const pid = Number(id);
  if (!isRunning(pid)) return true;
  const now = processMark(pid);
  return now !== undefined && now !== mark;
}
