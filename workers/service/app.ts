// The service: middleware and the list of all endpoints.

import { Hono } from 'hono';
import { attributions } from './endpoints/attributions.ts';
import { baseStyleDocument } from './endpoints/base-style.ts';
import { bathymetry } from './endpoints/bathymetry.ts';
import { bathymetryConsent, portalConsent } from './endpoints/bathymetry-consent.ts';
import { bathymetryImport } from './endpoints/bathymetry-import.ts';
import { bathymetrySoundings } from './endpoints/bathymetry-soundings.ts';
import { bathymetryTrack } from './endpoints/bathymetry-track.ts';
import { bathymetryTracks } from './endpoints/bathymetry-tracks.ts';
import { crowdExports } from './endpoints/crowd-export.ts';
import { crowdQuery } from './endpoints/crowd-query.ts';
import { crowdTile } from './endpoints/crowd-tile.ts';
import { demoToken } from './endpoints/demo-token.ts';
import { depthProfile } from './endpoints/depth-profile.ts';
import { withDocs } from './endpoints/docs.ts';
import { encQuery } from './endpoints/enc-query.ts';
import { encTile } from './endpoints/enc-tile.ts';
import { geojsonTile } from './endpoints/geojson-tile.ts';
import { health, readiness } from './endpoints/health.ts';
import { names } from './endpoints/names.ts';
import { portalAccounts } from './endpoints/portal-accounts.ts';
import { portalAdminLists } from './endpoints/portal-admin-lists.ts';
import { portalAudit } from './endpoints/portal-audit.ts';
import { portalAuth } from './endpoints/portal-auth.ts';
import { portalBlocks } from './endpoints/portal-blocks.ts';
import { portalBuilds } from './endpoints/portal-builds.ts';
import { portalChartCells } from './endpoints/portal-chart-cells.ts';
import { portalChartSets } from './endpoints/portal-chart-sets.ts';
import { portalCharts } from './endpoints/portal-charts.ts';
import { portalContributions } from './endpoints/portal-contributions.ts';
import { portalErasure } from './endpoints/portal-erasure.ts';
import { portalJobs } from './endpoints/portal-jobs.ts';
import { portalMapToken } from './endpoints/portal-map-token.ts';
import { portalPasskeys } from './endpoints/portal-passkeys.ts';
import { portalPassword } from './endpoints/portal-password.ts';
import { portalRefresh } from './endpoints/portal-refresh.ts';
import { portalReports } from './endpoints/portal-reports.ts';
import { portalSecondFactor } from './endpoints/portal-second-factor.ts';
import { portalStyle } from './endpoints/portal-style.ts';
import { portalStyles } from './endpoints/portal-styles.ts';
import { portalSystem } from './endpoints/portal-system.ts';
import { portalTeam } from './endpoints/portal-team.ts';
import { portalToken } from './endpoints/portal-token.ts';
import { portalTokens } from './endpoints/portal-tokens.ts';
import { portalTracks } from './endpoints/portal-tracks.ts';
import { portalTus } from './endpoints/portal-tus.ts';
import { rasterStyleDocument } from './endpoints/raster-style.ts';
import { rasterTile } from './endpoints/raster-tile.ts';
import { regionPlan } from './endpoints/region-plan.ts';
import { regions } from './endpoints/regions.ts';
import { routing } from './endpoints/routing.ts';
import { shorelineTile } from './endpoints/shoreline-tile.ts';
import { status } from './endpoints/status.ts';
import { tileJson } from './endpoints/tile-json.ts';
import { userReport } from './endpoints/user-report.ts';
import { userReportTiles } from './endpoints/user-report-tiles.ts';
import { userReportVotes } from './endpoints/user-report-votes.ts';
import { userReports } from './endpoints/user-reports.ts';
import { userTokens } from './endpoints/user-tokens.ts';
import { waterLevel } from './endpoints/water-level.ts';
import { hasUnreadBody, respondAfterDrain } from './http/drain-body.ts';
import type { AppEnv, Endpoint } from './http/endpoint.ts';
import { errorToResponse } from './http/handle-error.ts';
import { mount } from './http/mount.ts';
import { closingHeaders, LAST_HEADER } from './http/response-headers.ts';
import { staticFile } from './http/static-files.ts';
import { settingsOf } from './runtime/env.ts';
import { ApiError } from './runtime/errors.ts';
import { logRequest, requestIds } from './runtime/log.ts';
import { observeAnswer } from './runtime/observe.ts';
import { newCost } from './runtime/request-cost.ts';
import { countRequest } from './usage/count-usage.ts';

/** Every endpoint of the service. */
export const ENDPOINTS: readonly Endpoint[] = withDocs([
  encTile,
  geojsonTile,
  shorelineTile,
  rasterTile,
  crowdTile,
  tileJson,
  regions,
  regionPlan,
  encQuery,
  depthProfile,
  crowdQuery,
  ...crowdExports,
  waterLevel,
  names,
  routing,
  attributions,
  baseStyleDocument,
  rasterStyleDocument,
  ...portalStyles,
  ...portalStyle,
  // Before `bathymetry/{id}`: the path of the contract has precedence.
  userReportVotes,
  bathymetry,
  bathymetryTracks,
  bathymetrySoundings,
  bathymetryConsent,
  bathymetryImport,
  ...bathymetryTrack,
  ...userReports,
  ...userReport,
  ...userReportTiles,
  userTokens,
  ...portalAuth,
  ...portalSecondFactor,
  ...portalPasskeys,
  ...portalPassword,
  ...portalTokens,
  ...portalToken,
  ...portalTeam,
  ...portalConsent,
  portalContributions,
  ...portalTracks,
  ...portalAccounts,
  ...portalAudit,
  ...portalReports,
  ...portalBlocks,
  portalSystem,
  portalBuilds,
  // Before `uploads/{id}`.
  ...portalTus,
  ...portalCharts,
  portalChartCells,
  portalMapToken,
  ...portalRefresh,
  ...portalChartSets,
  ...portalJobs,
  ...portalAdminLists,
  ...portalErasure,
  demoToken,
  health,
  readiness,
  status,
]);

/** The X-Request-Id of a proxy or client if it is valid, otherwise a new id. */
const requestIdOf = (given: string | undefined): string =>
  given !== undefined && /^[\w.:-]{8,64}$/.test(given) ? given : crypto.randomUUID();

export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.use(async (c, next) => {
    c.set('startedAt', Date.now());
    c.set('requestId', requestIdOf(c.req.header('x-request-id')));
    c.set(
      'cost',
      newCost((work) => c.executionCtx.waitUntil(work)),
    );
    c.set('settings', settingsOf(c.env));
    await requestIds.run(c.get('requestId'), next);
    if (!c.res.headers.has(LAST_HEADER)) {
      const headers = Object.entries(closingHeaders(c, c.res.headers.get('vary') ?? undefined));
      for (const [name, value] of headers) c.res.headers.set(name, value);
    }
    const { raw } = c.req;
    // Only if necessary, because it copies all headers.
    if (hasUnreadBody(raw)) c.res = await respondAfterDrain(raw, c.res);
    const { from, bucketReads } = c.get('cost');
    const ms = Date.now() - c.get('startedAt');
    const caller = c.get('caller');
    const { method } = c.req;
    const { status } = c.res;
    if (caller !== undefined) {
      const answered = { kind: c.get('tag'), status };
      countRequest(c.env, caller, answered, Date.now(), c.get('cost').defer);
    }
    const endpoint = c.get('endpoint') ?? (status < 400 ? 'static' : 'unknown');
    const refusal = c.get('refusal');
    observeAnswer(c.env, { endpoint, method, status, ms, from, bucketReads, refusal });
    logRequest({
      requestId: c.get('requestId'),
      method,
      path: c.req.path,
      status,
      ms,
      tokenId: caller?.tokenId,
      from,
      bucketReads,
    });
  });

  mount(app, ENDPOINTS);

  // An exception here would bypass the middleware.
  app.notFound(async (c) => {
    try {
      return (await staticFile(c)) ?? errorToResponse(new ApiError('not_found'), c);
    } catch (error) {
      return errorToResponse(error, c);
    }
  });
  app.onError(errorToResponse);

  return app;
}
