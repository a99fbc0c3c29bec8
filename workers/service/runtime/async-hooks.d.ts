// The one part of `node:async_hooks` that is used, as the runtime gives it with `nodejs_compat`.

declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, callback: () => R): R;
    getStore(): T | undefined;
  }
}
