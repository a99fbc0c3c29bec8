// GET and POST /api/portal/v1/styles

import * as z from 'zod';
import { INEXACT_NUMBER, preservesNumbersOf } from '../../../shared/contract/exact-numbers.ts';
import type { Fault } from '../../../shared/contract/plain-json.ts';
import {
  MAX_SAVED_STYLES,
  MAX_STYLE_BODY_BYTES,
  presentedStyleSchema,
  presentStyle,
  type ReadSavedStyle,
  readSavedStyle,
  type SavedStyle,
  type SavedStyleInput,
  savedStyleInputSchema,
} from '../../../shared/contract/saved-style.ts';
import { createStyle, listStyles } from '../db/style-store.ts';
import { type AppContext, type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { IDEMPOTENCY_KEY, idempotencyKeyOf, withOutcomeLookup } from '../http/idempotency-key.ts';
import { readJsonBody, textOf } from '../http/read-json.ts';
import { styleAssets } from '../http/style-assets.ts';
import type { Caller } from '../identity/auth.ts';
import type { Member } from '../portal/session.ts';
import { ApiError, invalidInput } from '../runtime/errors.ts';
import { sha256 } from '../runtime/sha256.ts';
import { hasOwnGlyphs, withOwnFonts } from '../styles/own-fonts.ts';
import { refreshStyles } from '../styles/saved-styles.ts';

export const STYLES_PATH = '/api/portal/v1/styles';
export const STYLES_ACCESS = { kind: 'token', scope: 'styles:write', orRole: 'member' } as const;
export const styleBody = {
  schema: savedStyleInputSchema,
  description:
    'A name, a base theme, colours by S-52 colour token, and settings, which are parameters of base.json',
  example: {
    name: 'Deep keel',
    baseTheme: 'dusk',
    parameters: { settings: { depthLimit: 4.5 } },
  },
};

export const portalStyles: readonly Endpoint[] = [
  {
    method: 'get',
    path: STYLES_PATH,
    id: 'listSavedStyles',
    summary: 'Lists the saved styles of the account, newest first.',
    description: 'The list is not paginated.',
    tag: 'Saved styles',
    access: STYLES_ACCESS,
    answers: {
      200: jsonAnswer(
        `All styles of the account, at most ${MAX_SAVED_STYLES}`,
        z.array(presentedStyleSchema),
      ),
    },
    handle: async (c) => {
      const styles = await listStyles(c.env, callerOf(c).account);
      const shown = styles.map((style) => presentStyle(style));
      return c.json(shown, 200, { 'cache-control': 'no-store' });
    },
  },
  {
    method: 'post',
    path: STYLES_PATH,
    id: 'createSavedStyle',
    summary: 'Creates a saved style.',
    description:
      'Names are unique within the account. The settings are validated like the parameters of `base.json`. Unknown keys are stored; `ignored` in the response lists fields without effect.',
    tag: 'Saved styles',
    access: STYLES_ACCESS,
    parameters: [IDEMPOTENCY_KEY],
    body: styleBody,
    answers: {
      201: jsonAnswer('The created style', presentedStyleSchema),
      400: { description: 'A field is missing or invalid; `errors` lists it', error: 'bad_style' },
      409: {
        description:
          'Another style has this name, the account has the maximum number of styles, or the idempotency key was used with a different body',
        error: 'style_name_taken',
      },
    },
    handle: async (c) => {
      const caller = callerOf(c);
      const { style: input, ignored, bytes } = await readStyle(c, readSavedStyle);
      const key = idempotencyKeyOf(c);
      const id = crypto.randomUUID();
      const keyed = { key, bodySha256: await sha256(bytes) };
      const creation = await withOutcomeLookup(
        { id, idempotencyKey: key },
        createStyle(c.env, caller, keyed, { id, createdAt: Date.now(), ...input }),
      );
      if ('refused' in creation) throw new ApiError(CREATION_ERRORS[creation.refused]);
      const { made } = creation;
      const style: SavedStyle = { ...input, ...made, updatedAt: made.createdAt };
      await refreshStyles(c.env, caller.account, c.get('cost').defer);
      const location = `${STYLES_PATH}/${style.id}`;
      return c.json(presentStyle(style, ignored), 201, { 'cache-control': 'no-store', location });
    },
  },
];

const CREATION_ERRORS = {
  name_taken: 'style_name_taken',
  too_many: 'too_many_styles',
  other_body: 'idempotency_key_reused',
} as const;

/** The token or the user of a request; `mount` has already required one of them. */
export function callerOf(c: AppContext): Caller | Member {
  const caller = c.get('caller') ?? c.get('member');
  if (caller === undefined) throw new ApiError('token_required');
  return caller;
}

interface ReadStyle<Style> {
  readonly style: Style;
  /** Paths of fields that are not stored. */
  readonly ignored: readonly string[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Reads a style, or a part of it, and the bytes of its body.
 * @throws ApiError 400 with every invalid field, 413, 415
 */
export async function readStyle<Style extends Partial<SavedStyleInput>>(
  c: AppContext,
  parse: (body: Readonly<Record<string, unknown>>) => ReadSavedStyle<Style>,
): Promise<ReadStyle<Style>> {
  const { object, bytes } = await readJsonBody(c, MAX_STYLE_BODY_BYTES);
  const read = parse(object);
  const faults = 'style' in read ? await faultsOfStyle(c, read.style, bytes) : read.faults;
  if ('style' in read && faults.length === 0) return { ...read, bytes };
  throw invalidInput('bad_style', faults);
}

/** Faults of values that cannot be stored exactly, and of fonts. @throws ApiError 503 */
async function faultsOfStyle(
  c: AppContext,
  style: Partial<SavedStyleInput>,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<readonly Fault[]> {
  // Unknown keys are stored too, and their integers must be returned unchanged.
  return preservesNumbersOf('parameters', textOf(bytes))
    ? faultsOfFont(c, style)
    : [{ path: 'parameters', message: INEXACT_NUMBER }];
}

/**
 * Rejects fonts that do not exist here.
 * @throws ApiError 503 if the list of fonts is unavailable
 */
async function faultsOfFont(
  c: AppContext,
  { parameters }: Partial<SavedStyleInput>,
): Promise<readonly Fault[]> {
  const { font, glyphs } = parameters?.settings ?? {};
  const request = { font: font ?? undefined, glyphs: glyphs ?? undefined };
  const { origin } = new URL(c.req.url);
  if (request.font === undefined || !hasOwnGlyphs(request, origin)) return [];
  const checked = withOwnFonts(request, await styleAssets(c.env), origin);
  if (!('fault' in checked)) return [];
  return [{ ...checked.fault, path: `parameters.settings.${checked.fault.path}` }];
}
