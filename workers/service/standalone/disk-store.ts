// The key-value store as a folder with one file per entry. Terminal commands write entries and the
// Worker reads them; the Worker writes copies of saved styles.

import { edgeFileName } from '../../../shared/contract/edge-file.ts';

const addressOf = (key: string) => `http://edge/${edgeFileName(key)}`;

/** The part of a KV namespace that the Worker uses, on a writable disk service. */
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
