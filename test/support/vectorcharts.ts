// Requests for reports and styles as the public documentation of VectorCharts describes them; see
// vectorcharts-charts.ts.

import {
  CHART_REQUESTS,
  type DocumentedRequest,
  FEATURES,
  NO_TOKEN,
  REQUIRED,
  UNKNOWN,
  under,
  Z_X_Y,
} from './vectorcharts-charts.ts';

const REPORTS = '/api/v1/user-reports';
const STYLES = '/api/portal/v1/styles';

const REPORT_FIELDS = {
  id: 'string',
  reportType: 'string',
  latitude: 'number',
  longitude: 'number',
  properties: 'object',
  upvoteCount: 'number',
  downvoteCount: 'number',
  isOwner: 'boolean',
  externalUserId: 'string',
  namespace: 'string',
  createdAt: 'number',
  updatedAt: 'number',
  expiredAt: 'null',
  deletedAt: 'null',
};
const STYLE_FIELDS = {
  id: 'number',
  name: 'string',
  userEmail: 'string',
  createdAt: 'number',
  updatedAt: 'number',
  parameters: 'object',
  'parameters.colors': 'object',
  'parameters.settings': 'object',
  'parameters.settings.iconSet': 'string',
  'parameters.settings.soundingOpacity': 'number',
  'parameters.settings.showLightSectors': 'boolean',
};
const REPORT = {
  id: '550e8400-e29b-41d4-a716-446655440000',
  reportType: 'hazard',
  position: { latitude: 42.36, longitude: -71.05 },
  properties: { description: 'Shallow area reported' },
  externalUserId: 'app-user-abc123',
};
const STYLE_CHANGE = {
  parameters: {
    colors: {},
    settings: { iconSet: 'enc-day', soundingOpacity: 0.7, showLightSectors: false },
  },
};

const CROWD: readonly DocumentedRequest[] = [
  {
    name: 'POST /api/v1/user-reports',
    path: REPORTS,
    body: REPORT,
    status: 201,
    inQuery: { token: {} },
    inBody: {
      reportType: { ...REQUIRED, values: ['hazard', 'accident', 'weather', 'wildlife'] },
      position: REQUIRED,
      'position.latitude': REQUIRED,
      'position.longitude': REQUIRED,
      properties: {},
      id: {},
      externalUserId: {},
    },
    inResponse: REPORT_FIELDS,
    outcomes: {
      ...NO_TOKEN,
      '400 with an invalid id': { status: 400, body: { ...REPORT, id: '1' } },
      '409 with a used id': { status: 409, body: REPORT },
    },
  },
  {
    name: 'POST /api/v1/user-reports/{id}/votes',
    path: `${REPORTS}/{report}/votes`,
    body: { vote: 'valid', externalUserId: 'app-user-abc123' },
    status: 200,
    inPath: ['id'],
    inQuery: { token: {} },
    inBody: { vote: { ...REQUIRED, values: ['valid', 'invalid'] }, externalUserId: {} },
    inResponse: REPORT_FIELDS,
    outcomes: {
      ...NO_TOKEN,
      '400 with an invalid vote': { status: 400, body: { vote: 'maybe' } },
      '404 with an unknown id': { status: 404, path: `${REPORTS}/${UNKNOWN}/votes` },
    },
  },
  {
    name: 'GET /api/v1/user-reports',
    path: `${REPORTS}?limit=50&offset=0`,
    status: 200,
    inQuery: { token: {}, limit: {}, offset: {}, includeDeleted: {}, includeExpired: {} },
    inResponse: {
      reports: 'array',
      ...under('reports[].', REPORT_FIELDS),
      total: 'number',
      limit: 'number',
      offset: 'number',
    },
    outcomes: {
      ...NO_TOKEN,
      '200 with total if offset is absent': { status: 200, path: REPORTS, field: 'total' },
    },
  },
  {
    name: 'GET /api/v1/user-reports/tiles/{z}/{x}/{y}.mvt',
    path: `${REPORTS}/tiles/12/1240/1515.mvt`,
    status: 200,
    contentType: 'application/vnd.mapbox-vector-tile',
    inPath: Z_X_Y,
    inQuery: { token: {} },
    outcomes: {
      ...NO_TOKEN,
      '400 with x outside the zoom': { status: 400, path: `${REPORTS}/tiles/2/4/0.mvt` },
    },
  },
  {
    name: 'GET /api/v1/user-reports/tiles/{z}/{x}/{y}.json',
    path: `${REPORTS}/tiles/12/1240/1515.json`,
    here: { path: `${REPORTS}/tiles/12/1239/1514.json` },
    status: 200,
    inPath: Z_X_Y,
    inQuery: { token: {} },
    inResponse: {
      ...FEATURES,
      ...under('features[].properties.', {
        id: 'string',
        reportType: 'string',
        upvoteCount: 'number',
        downvoteCount: 'number',
        isOwner: 'boolean',
        label: 'string',
        properties: 'object',
      }),
    },
    outcomes: {
      ...NO_TOKEN,
      '400 with x outside the zoom': { status: 400, path: `${REPORTS}/tiles/2/4/0.json` },
    },
  },
  {
    name: 'DELETE /api/v1/user-reports/{id}',
    path: `${REPORTS}/{report}`,
    status: 200,
    inPath: ['id'],
    inQuery: { token: {} },
    inResponse: { ...REPORT_FIELDS, deletedAt: 'number' },
    outcomes: {
      ...NO_TOKEN,
      '400 with an invalid id': { status: 400, path: `${REPORTS}/1` },
      '404 with an unknown id': { status: 404, path: `${REPORTS}/${UNKNOWN}` },
      '410 if it is already deleted': { status: 410 },
      '200 for the same public token': {
        status: 200,
        path: `${REPORTS}/{public}`,
        token: 'public',
      },
    },
  },
];

const PORTAL: readonly DocumentedRequest[] = [
  {
    name: 'POST /api/portal/v1/styles',
    path: STYLES,
    body: { name: 'Vessel Map', theme: 'day' },
    status: 200,
    inBody: { name: REQUIRED, theme: { ...REQUIRED, values: ['day', 'dusk', 'night'] } },
    inResponse: STYLE_FIELDS,
    outcomes: { ...NO_TOKEN, '400 without name': { status: 400, body: { theme: 'day' } } },
  },
  {
    name: 'POST /api/portal/v1/styles/{id}',
    path: `${STYLES}/{style}`,
    body: STYLE_CHANGE,
    status: 200,
    inPath: ['id'],
    inBody: { name: {}, parameters: {} },
    inResponse: STYLE_FIELDS,
    outcomes: { ...NO_TOKEN, '404 with an unknown id': { status: 404, path: `${STYLES}/43` } },
  },
  {
    name: 'GET /api/portal/v1/styles',
    path: STYLES,
    status: 200,
    inResponse: under('[].', STYLE_FIELDS),
    outcomes: NO_TOKEN,
  },
  {
    name: 'GET /api/portal/v1/styles/{id}',
    path: `${STYLES}/{style}`,
    status: 200,
    inPath: ['id'],
    inResponse: STYLE_FIELDS,
    outcomes: { ...NO_TOKEN, '404 with an unknown id': { status: 404, path: `${STYLES}/43` } },
  },
  {
    name: 'DELETE /api/portal/v1/styles/{id}',
    path: `${STYLES}/{style}`,
    status: 204,
    inPath: ['id'],
    outcomes: { ...NO_TOKEN, '404 with an unknown id': { status: 404 } },
  },
];

/** Ordered: a request that creates an object comes before the requests that use it. */
export const DOCUMENTED_REQUESTS: readonly DocumentedRequest[] = [
  ...CHART_REQUESTS,
  ...CROWD,
  ...PORTAL,
];
export const DOCUMENTED_REPORT = REPORT;

/** Requests of the documentation about the portal, uploads and jobs that Leadline has. */
export const PORTAL_REQUESTS: readonly string[] = [
  'POST /api/portal/v1/auth/login',
  'POST /api/portal/v1/auth/logout',
  'GET /api/portal/v1/auth/whoami',
  'POST /api/portal/v1/user/passwordChange',
  'GET /api/portal/v1/apiTokens',
  'POST /api/portal/v1/apiTokens',
  'POST /api/portal/v1/apiTokens/{id}',
  'DELETE /api/portal/v1/apiTokens/{id}',
  'POST /api/v1/charts/upload',
  'POST /api/portal/v1/charts/upload',
  'POST /api/v1/charts/refresh',
  'GET /api/portal/v1/charts/uploads',
  'GET /api/portal/v1/charts/uploads/{id}',
  'DELETE /api/portal/v1/charts/uploads/{id}',
  'GET /api/portal/v1/charts/getPermit',
  'GET /api/v1/jobs',
  'GET /api/portal/v1/jobs',
];

/** Requests of the documentation for which Leadline has no endpoint. */
export const MANAGEMENT_REQUESTS: readonly string[] = [
  'POST /api/portal/v1/jobs',
  'GET /api/portal/v1/jobs/getJobStatus',
  'GET /api/portal/v1/admin/getAllUsers',
  'GET /api/portal/v1/admin/getUser',
  'POST /api/portal/v1/admin/createUser',
  'POST /api/portal/v1/admin/editUser',
  'POST /api/portal/v1/admin/deleteUser',
  'GET /api/portal/v1/admin/getAllAccounts',
  'GET /api/portal/v1/admin/getAccount',
  'POST /api/portal/v1/admin/createAccount',
  'POST /api/portal/v1/admin/editAccount',
  'POST /api/portal/v1/admin/deleteAccount',
  'GET /api/portal/v1/admin/getApiTokens',
  'POST /api/portal/v1/admin/createApiToken',
];
