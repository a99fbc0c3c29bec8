import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../workers/host/database/process.ts';

describe('the port of a server that cannot choose one itself', () => {
  it('is not one that the system gives to outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort(0)));
    expect(ports.every((port) => port >= 20_000 && port < 32_000)).toBe(true);
    expect(new Set(ports).size).toBeGreaterThan(40);
  });

  it('is refused if it was chosen and is in use', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as { port: number };
    await expect(freePort(port)).rejects.toThrow(`Port ${port} is in use.`);
    await new Promise((done) => other.close(done));
    await expect(freePort(port)).resolves.toBe(port);
  });
});
