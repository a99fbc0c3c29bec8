// @leadline/client: the main entry.

export type { ChartsApi, TilePlace, Tileset } from './charts.ts';
export { type Client, createClient } from './client.ts';
export * from './errors.ts';
export { type Outbox, type OutboxEntry, type OutboxResult, openOutbox } from './outbox.ts';
export type { DownloadOptions, RegionBytes, RegionsApi } from './regions.ts';
export type { ReportsApi } from './reports.ts';
export type { SavedStylesApi } from './saved-styles.ts';
export type { CallOptions, KeyedOptions } from './send-request.ts';
export type { ClientOptions } from './session.ts';
export type { SoundingsApi, TrackFile } from './soundings.ts';
export type { KeyValueStorage } from './storage.ts';
export { type UploadOptions, uploadStorageKey } from './upload-soundings.ts';
export type * from './wire.ts';
