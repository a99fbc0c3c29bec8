// The key-value store where it is a folder: a file an entry, which commands at a terminal write and
// the Worker reads, and writes for copies of saved styles.

import { edgeFileName } from '../../../shared/contract/edge-file.ts';

const addressOf = (key: string) => `http://edge/${edgeFileName(key)}`;

/** What the Worker uses of a namespace, over a writable disk service. */
export function diskStore(disk: Fetcher): KVNamespace {
  const must = (answer: Response, doing: string) => {
    if (!answer.ok) throw new Error(`The disk answered ${answer.status} ${doing}.`);
  };
  const store = {
    async get(key: string, type?: 'text' | 'json'): Promise<unknown> {
      const answer = await disk.fetch(addressOf(key));
      if (answer.status === 404) return null;
      must(answer, `reading ${key}`);
      return type === 'json' ? answer.json() : answer.text();
    },
    async put(key: string, text: string): Promise<void> {
      must(await disk.fetch(addressOf(key), { method: 'PUT', body: text }), `writing ${key}`);
    },
    async delete(key: string): Promise<void> {
      const answer = await disk.fetch(addressOf(key), { method: 'DELETE' });
      if (answer.status !== 404) must(answer, `deleting ${key}`);
    },
  };
  return store as unknown as KVNamespace;
}
