// GET, PUT, POST and DELETE /api/portal/v1/styles/{id}; GET …/versions

import * as z from 'zod';
import {
  KEPT_STYLE_VERSIONS,
  presentedStyleSchema,
  presentStyle,
  type ReadSavedStyle,
  readSavedStyle,
  readStyleChange,
  type SavedStyleInput,
  type StyleVersion,
  savedStyleChangeSchema,
  styleVersionSchema,
} from '../../../shared/contract/saved-style.ts';
import { changeStyle, deleteStyle, findStyle, listVersions } from '../db/style-store.ts';
import {
  type AppContext,
  type Endpoint,
  idParameter,
  jsonAnswer,
  type Parameter,
} from '../http/endpoint.ts';
import { withOutcomeLookup } from '../http/idempotency-key.ts';
import { ApiError } from '../runtime/errors.ts';
import { refreshStyles } from '../styles/saved-styles.ts';
import { callerOf, readStyle, STYLES_ACCESS, STYLES_PATH, styleBody } from './portal-styles.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const common = {
  path: `${STYLES_PATH}/{id}`,
  tag: 'Saved styles',
  access: STYLES_ACCESS,
  parameters: [
    idParameter('Id of a saved style of the account', '00000000-0000-4000-8000-000000000000'),
  ] satisfies Parameter[],
} as const;

const VERSION: StyleVersion = {
  savedAt: 1_764_547_200_000,
  baseTheme: 'dusk',
  parameters: { colors: {}, settings: { depthLimit: 4.5 } },
};
const found = jsonAnswer('The style', presentedStyleSchema);
const missing = {
  description: 'The account has no style with this id',
  error: 'style_not_found',
} as const;

const changeAnswers = {
  200: found,
  400: { description: 'A field is missing or invalid; `errors` lists it', error: 'bad_style' },
  404: missing,
  409: { description: 'Another style has this name', error: 'style_name_taken' },
} as const;

export const portalStyle: readonly Endpoint[] = [
  {
    ...common,
    path: `${STYLES_PATH}/{id}/versions`,
    method: 'get',
    id: 'listSavedStyleVersions',
    summary: 'Lists the earlier versions of a saved style, newest first.',
    description: `The last ${KEPT_STYLE_VERSIONS} versions are kept until the style is deleted. To restore one, send its \`baseTheme\` and \`parameters\` to \`POST ${STYLES_PATH}/{id}\`. Changes of the name are not kept.`,
    answers: {
      200: jsonAnswer('The earlier versions', z.array(styleVersionSchema), [VERSION]),
      404: missing,
    },
    handle: async (c) => {
      const { account } = callerOf(c);
      const id = styleId(c);
      const versions = await listVersions(c.env, account, id);
      if (versions.length === 0 && (await findStyle(c.env, account, id)) === undefined) {
        throw new ApiError('style_not_found');
      }
      return c.json(versions, 200, { 'cache-control': 'no-store' });
    },
  },
  {
    ...common,
    method: 'get',
    id: 'getSavedStyle',
    summary: 'Returns a saved style.',
    description: 'The response includes the times of creation and of the last change.',
    answers: { 200: found, 404: missing },
    handle: async (c) => {
      const style = await findStyle(c.env, callerOf(c).account, styleId(c));
      if (style === undefined) throw new ApiError('style_not_found');
      return c.json(presentStyle(style), 200, { 'cache-control': 'no-store' });
    },
  },
  {
    ...common,
    method: 'put',
    id: 'replaceSavedStyle',
    summary: 'Replaces or renames a saved style.',
    description:
      'The whole style is replaced. Style documents may have the earlier content for up to 30 seconds.',
    body: styleBody,
    answers: changeAnswers,
    handle: changeWith(readSavedStyle),
  },
  {
    ...common,
    method: 'post',
    id: 'updateSavedStyle',
    summary: 'Changes parts of a saved style.',
    description:
      'Fields that the body does not contain keep their value; `parameters` is replaced as a whole. Style documents may have the earlier content for up to 30 seconds.',
    body: {
      schema: savedStyleChangeSchema,
      description: 'The fields to change',
      example: { parameters: { settings: { depthLimit: 6, soundingOpacity: 0.7 } } },
    },
    answers: changeAnswers,
    handle: changeWith(readStyleChange),
  },
  {
    ...common,
    method: 'delete',
    id: 'deleteSavedStyle',
    summary: 'Deletes a saved style.',
    description:
      'The style cannot be restored, and its name can be used again. Requests for a style document with the id or name return 404.',
    answers: { 204: { description: 'Deleted' }, 404: missing },
    handle: async (c) => {
      const caller = callerOf(c);
      const id = styleId(c);
      if (!(await withOutcomeLookup({ id }, deleteStyle(c.env, caller, id))))
        throw new ApiError('style_not_found');
      await refreshStyles(c.env, caller.account, c.get('cost').defer);
      return c.body(null, 204, { 'cache-control': 'no-store' });
    },
  },
];

type Parse = (body: Readonly<Record<string, unknown>>) => ReadSavedStyle<Partial<SavedStyleInput>>;

/** The handler of a request that replaces a style or changes parts of it. */
function changeWith(parse: Parse): Endpoint['handle'] {
  return async (c) => {
    const caller = callerOf(c);
    const { style: change, ignored } = await readStyle(c, parse);
    const id = styleId(c);
    const style = await withOutcomeLookup(
      { id },
      changeStyle(c.env, caller, id, change, Date.now()),
    );
    if (style === undefined) throw new ApiError('style_not_found');
    if (style === 'name_taken') throw new ApiError('style_name_taken');
    await refreshStyles(c.env, caller.account, c.get('cost').defer);
    return c.json(presentStyle(style, ignored), 200, { 'cache-control': 'no-store' });
  };
}

/** @throws ApiError 404 if the id is not a UUID */
function styleId(c: AppContext): string {
  const id = (c.req.param('id') ?? '').toLowerCase();
  if (!UUID.test(id)) throw new ApiError('style_not_found');
  return id;
}
