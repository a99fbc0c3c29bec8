// Captures the output of a command that runs in this process.

import { format } from 'node:util';
import { vi } from 'vitest';

export interface Ended {
  /** The exit code. */
  readonly code: number | null;
  readonly out: string;
  readonly complaint: string;
}

/** Runs a command that returns its exit code. Its output is not shown on the terminal. */
export async function captured(command: () => Promise<number>): Promise<Ended> {
  let [out, complaint] = ['', ''];
  const print = (text: unknown) => {
    out += text;
    return true;
  };
  const complain = (text: unknown) => {
    complaint += text;
    return true;
  };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((...said) => void print(`${format(...said)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((...said) => {
      complain(`${format(...said)}\n`);
    }),
    vi.spyOn(process.stdout, 'write').mockImplementation(print),
    vi.spyOn(process.stderr, 'write').mockImplementation(complain),
  ];
  try {
    return { code: await command(), out, complaint };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
