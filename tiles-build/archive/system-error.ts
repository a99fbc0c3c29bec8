/**
 * Whether an error is the system's: a disk is full, a folder may not be written, a file went away. What is
 * wrong with a cell itself is no such error.
 */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined;
