// Types of the portal API, inferred from the schemas of the service. The declarations of the package are
// written out in full, as those of wire.ts.

import type * as z from 'zod';
import type * as accounts from '../../../shared/contract/accounts.ts';
import type * as audit from '../../../shared/contract/audit.ts';
import type * as builds from '../../../shared/contract/builds.ts';
import type * as charts from '../../../shared/contract/charts.ts';
import type * as consent from '../../../shared/contract/consent.ts';
import type * as contributions from '../../../shared/contract/contributions.ts';
import type * as erasure from '../../../shared/contract/erasure.ts';
import type * as moderation from '../../../shared/contract/moderation.ts';
import type * as passkeys from '../../../shared/contract/passkeys.ts';
import type * as portal from '../../../shared/contract/portal.ts';
import type * as portalTracks from '../../../shared/contract/portal-tracks.ts';
import type * as system from '../../../shared/contract/system.ts';
import type * as team from '../../../shared/contract/team.ts';
import type * as tracks from '../../../shared/contract/tracks.ts';

export type PortalUser = z.output<typeof portal.portalUserSchema>;
/** Email address and password, or the token of a sign-in link. */
export type Login = z.input<typeof portal.loginSchema> | z.input<typeof portal.linkLoginSchema>;
/** An API token without its text. */
export type PortalToken = z.output<typeof portal.portalTokenSchema>;
/** A new API token with its text, which is returned only once. */
export type NewPortalToken = z.output<typeof portal.newPortalTokenSchema>;
/** A passkey of the user, without its key. */
export type Passkey = z.output<typeof passkeys.passkeySchema>;
export type AccountUsage = portal.AccountUsage;
export type TeamMember = z.output<typeof team.teamMemberSchema>;
export type MemberLink = z.output<typeof team.memberLinkSchema>;
export type PortalTrackList = z.output<typeof portalTracks.portalTrackListSchema>;
/** A track of the account, without points. */
export type PortalTrack = PortalTrackList['tracks'][number];
/** What the account added to the crowdsourced depths. */
export type AccountContributions = z.output<typeof contributions.contributionsSchema>;
/** Consent for uploads without `share`. */
export type DefaultConsent = z.output<typeof consent.defaultShareSchema>;
export type PortalAccount = z.output<typeof accounts.accountSchema>;
export type ModeratedReport = z.output<typeof moderation.moderatedReportSchema>;
export type ModeratedPage = z.output<typeof moderation.moderatedPageSchema>;
export type ReportDetails = z.output<typeof moderation.reportDetailsSchema>;
export type ReportBlock = z.output<typeof moderation.blockSchema>;
export type AuditEntry = z.output<typeof audit.auditEntrySchema>;
export type SystemState = z.output<typeof system.systemSchema>;
export type ChartBuild = z.output<typeof builds.buildsSchema>[number];
export type ChartCells = z.output<typeof charts.chartCellsSchema>;
export type ChartSchedule = z.output<typeof charts.scheduleSchema>;
export type ChartSets = z.output<typeof charts.chartSetsSchema>;
export type ChartUploadList = z.output<typeof charts.uploadListSchema>;
export type ChartUpload = ChartUploadList['uploads'][number];
export type ChartJobList = z.output<typeof charts.jobListSchema>;
export type ChartJob = z.output<typeof charts.chartJobSchema>;
/** Whose data is counted or erased. */
export type Person = z.input<typeof erasure.personSchema>;
export type Traces = z.output<typeof erasure.tracesSchema>;
export type Erased = z.output<typeof erasure.erasedSchema>;

/** Filters of the audit trail. */
type AuditFilter = { account?: string; actor?: string; act?: string };

/** Filters of reports. Times are epoch milliseconds. */
type ReportFilter = {
  account?: string;
  type?: ModeratedReport['reportType'];
  state?: ModeratedReport['state'];
  since?: number;
  until?: number;
  text?: string;
};

/** What each endpoint of the portal needs and returns. Paths are below `/api/portal/v1`. */
export type PortalCalls = {
  'POST /auth/login': {
    body: z.input<typeof portal.loginSchema>;
    answer: z.output<typeof portal.signedInSchema>;
  };
  'POST /auth/loginByLink': {
    body: z.input<typeof portal.linkLoginSchema>;
    answer: z.output<typeof portal.signedInSchema>;
  };
  'GET /auth/options': { answer: z.output<typeof portal.signInOptionsSchema> };
  'POST /auth/forgotPassword': {
    body: z.input<typeof portal.passwordRequestSchema>;
    answer: z.output<typeof portal.passwordRequestedSchema>;
  };
  'POST /auth/resetPassword': {
    body: z.input<typeof portal.passwordResetSchema>;
    answer: undefined;
  };
  'POST /auth/logout': { answer: undefined };
  'POST /auth/logoutEverywhere': { answer: undefined };
  'GET /auth/whoami': { answer: PortalUser };
  'POST /user/passwordChange': {
    body: z.input<typeof portal.passwordChangeSchema>;
    answer: undefined;
  };
  'POST /user/secondFactor': {
    body: z.input<typeof portal.secondFactorStartSchema>;
    answer: z.output<typeof portal.secondFactorSchema>;
  };
  'POST /user/secondFactor/confirm': {
    body: z.input<typeof portal.factorCodeSchema>;
    answer: z.output<typeof portal.signedInSchema>;
  };
  'POST /user/secondFactor/end': {
    body: z.input<typeof portal.secondFactorStartSchema>;
    answer: z.output<typeof portal.signedInSchema>;
  };
  'POST /auth/passkey': { answer: z.output<typeof passkeys.passkeyOptionsSchema> };
  'POST /auth/loginByPasskey': {
    body: z.input<typeof passkeys.passkeyLoginSchema>;
    answer: z.output<typeof portal.signedInSchema>;
  };
  'GET /user/passkeys': { answer: Passkey[] };
  'POST /user/passkeys': { body: z.input<typeof passkeys.newPasskeySchema>; answer: Passkey };
  'POST /user/passkeys/start': {
    body: z.input<typeof passkeys.passkeyProofSchema>;
    answer: z.output<typeof passkeys.passkeyOptionsSchema>;
  };
  'POST /user/passkeys/{id}/remove': {
    id: string;
    body: z.input<typeof passkeys.passkeyProofSchema>;
    answer: undefined;
  };
  'GET /usage': { answer: portal.AccountUsage };
  'GET /apiTokens': {
    query?: { limit?: number; before?: string; ended?: boolean };
    answer: PortalToken[];
  };
  'POST /apiTokens': { body: z.input<typeof portal.apiTokenInputSchema>; answer: NewPortalToken };
  'POST /apiTokens/{id}': {
    id: string;
    body: z.input<typeof portal.apiTokenChangeSchema>;
    answer: PortalToken;
  };
  'DELETE /apiTokens/{id}': { id: string; answer: undefined };
  'POST /apiTokens/{id}/rotate': {
    id: string;
    body: z.input<typeof portal.rotationSchema>;
    answer: NewPortalToken;
  };
  'GET /team': { query?: { limit?: number; after?: string }; answer: TeamMember[] };
  'POST /team': { body: z.input<typeof team.invitationSchema>; answer: MemberLink };
  'POST /team/{id}': {
    id: string;
    body: z.input<typeof team.memberChangeSchema>;
    answer: TeamMember;
  };
  'DELETE /team/{id}': { id: string; answer: undefined };
  'POST /team/{id}/link': { id: string; answer: MemberLink };
  'POST /team/{id}/logoutEverywhere': { id: string; answer: undefined };
  'GET /tracks': { query?: { limit?: number; cursor?: string }; answer: PortalTrackList };
  'GET /tracks/{id}.geojson': {
    id: string;
    query?: { corrected?: boolean };
    answer: z.output<typeof tracks.trackFileSchema>;
  };
  'GET /tracks/{id}.csv': { id: string; answer: string };
  'GET /tracks/{id}.gpx': { id: string; answer: string };
  'POST /tracks/consent': {
    body: z.input<typeof consent.shareSchema>;
    answer: z.output<typeof consent.sharedSchema>;
  };
  'GET /contributions': { answer: AccountContributions };
  'GET /consent': { answer: DefaultConsent };
  'POST /consent': { body: DefaultConsent; answer: DefaultConsent };
  'DELETE /tracks/{id}': { id: string; answer: undefined };
  'GET /reports': {
    query?: ReportFilter & { limit?: number; before?: string };
    answer: ModeratedPage;
  };
  'GET /reports.csv': { query?: ReportFilter; answer: string };
  'GET /reports/{id}': { id: string; answer: ReportDetails };
  'DELETE /reports/{id}': { id: string; answer: ReportDetails };
  'POST /reports/{id}/restore': { id: string; answer: ReportDetails };
  'POST /reports/{id}/block': { id: string; answer: ReportDetails };
  'GET /blocks': { query?: { limit?: number; before?: number }; answer: ReportBlock[] };
  'DELETE /blocks/{id}': { id: string; answer: undefined };
  'GET /admin/accounts': {
    query?: { limit?: number; search?: string; after?: string };
    answer: PortalAccount[];
  };
  'POST /admin/accounts': {
    body: z.input<typeof accounts.newAccountSchema>;
    answer: PortalAccount;
  };
  'GET /charts/cells': { answer: ChartCells };
  'GET /charts/sets': { answer: ChartSets };
  'POST /charts/sets/{id}/return': { id: string; answer: ChartJob };
  'POST /charts/refresh': { answer: z.output<typeof charts.refreshSchema> };
  'GET /admin/chartSchedule': { answer: ChartSchedule };
  'POST /admin/chartSchedule': {
    body: z.input<typeof charts.scheduleChangeSchema>;
    answer: ChartSchedule;
  };
  'POST /charts/mapToken': { answer: z.output<typeof charts.mapTokenSchema> };
  'GET /charts/uploads': {
    query?: { limit?: number; offset?: number };
    answer: ChartUploadList;
  };
  'GET /charts/uploads/{id}': { id: string; answer: z.output<typeof charts.uploadSchema> };
  'GET /charts/getPermit': { answer: z.output<typeof charts.userPermitSchema> };
  'DELETE /charts/uploads/{id}': { id: string; answer: { message: string } };
  'GET /jobs': {
    query?: { limit?: number; offset?: number; activeOnly?: boolean };
    answer: ChartJobList;
  };
  'GET /jobs/{id}': { id: string; answer: ChartJob };
  'GET /jobs/{id}/events': { id: string; answer: string };
  'POST /jobs/{id}/cancel': { id: string; answer: ChartJob };
  'POST /jobs/{id}/retry': { id: string; answer: ChartJob };
  'POST /admin/accounts/{id}': {
    id: string;
    body: z.input<typeof accounts.accountChangeSchema>;
    answer: PortalAccount;
  };
  'POST /admin/accounts/{id}/owner': {
    id: string;
    body: z.input<typeof team.ownerInvitationSchema>;
    answer: MemberLink;
  };
  'GET /admin/audit': {
    query?: AuditFilter & { limit?: number; before?: number };
    answer: AuditEntry[];
  };
  'GET /admin/audit.csv': { query?: AuditFilter; answer: string };
  'GET /admin/system': { answer: SystemState };
  'GET /admin/builds': { answer: ChartBuild[] };
  'GET /admin/users': {
    query?: { limit?: number; account?: string; address?: string; after?: string };
    answer: TeamMember[];
  };
  'GET /admin/apiTokens': {
    query?: { limit?: number; account?: string; search?: string; before?: string; ended?: boolean };
    answer: PortalToken[];
  };
  'GET /admin/usage': { query?: { account?: string }; answer: portal.AccountUsage };
  'POST /admin/erasure/count': { body: Person; answer: Traces };
  'POST /admin/erasure': { body: Person; answer: Erased };
};
