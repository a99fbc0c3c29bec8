// What a command prints that runs within this process.

import { format } from 'node:util';
import { vi } from 'vitest';

export interface Ended {
  /** The exit code. */
  readonly code: number | null;
  readonly out: string;
  readonly complaint: string;
}

/** Run a command that answers its exit code, and keep what it prints from the terminal. */
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
