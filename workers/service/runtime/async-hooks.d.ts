// The part of `node:async_hooks` that the service uses; the runtime provides it with
// `nodejs_compat`.

declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, callback: () => R): R;
    getStore(): T | undefined;
  }
}
