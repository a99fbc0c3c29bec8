/** Whether there is a process of an id, ours or another user's. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is one too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
