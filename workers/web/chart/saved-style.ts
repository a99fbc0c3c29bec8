// What the pages that edit saved styles share.

import { NotAllowedError } from '../client/errors.ts';
import type { SavedStyle } from '../client/wire.ts';

export type StyleDraft = Pick<SavedStyle, 'name' | 'baseTheme' | 'parameters'>;

/** The message of an error, for the user. */
export const styleErrorText = (error: unknown): string =>
  error instanceof NotAllowedError
    ? 'This token has no permission for saved styles.'
    : (error as Error).message;
