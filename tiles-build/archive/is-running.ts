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
 * Identifies a process of all machines: the start of its machine, its container, its id and its start time.
 * `undefined` if there is no such process, or the system does not tell (only Linux does).
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
 * Whether the process of a mark is known to have ended: never for one of another container, nor for one of another
 * machine, unless `isHere` states that it was a process of this machine, which was restarted.
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
