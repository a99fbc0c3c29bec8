// Types of the portal API, inferred from the schemas of the service. The declarations of the package are
// written out in full, as those of wire.ts.

import type * as z from 'zod';
import type {
  accountChangeSchema,
  accountSchema,
  newAccountSchema,
} from '../../../shared/contract/accounts.ts';
import type { auditEntrySchema } from '../../../shared/contract/audit.ts';
import type { buildsSchema } from '../../../shared/contract/builds.ts';
import type {
  chartCellsSchema,
  chartJobSchema,
  jobListSchema,
  uploadListSchema,
  uploadSchema,
  userPermitSchema,
} from '../../../shared/contract/charts.ts';
import type {
  defaultShareSchema,
  sharedSchema,
  shareSchema,
} from '../../../shared/contract/consent.ts';
import type { contributionsSchema } from '../../../shared/contract/contributions.ts';
import type { erasedSchema, personSchema, tracesSchema } from '../../../shared/contract/erasure.ts';
import type {
  blockSchema,
  moderatedPageSchema,
  moderatedReportSchema,
  reportDetailsSchema,
} from '../../../shared/contract/moderation.ts';
import type {
  AccountUsage,
  apiTokenChangeSchema,
  apiTokenInputSchema,
  factorCodeSchema,
  linkLoginSchema,
  loginSchema,
  newPortalTokenSchema,
  passwordChangeSchema,
  portalTokenSchema,
  portalUserSchema,
  rotationSchema,
  secondFactorSchema,
  secondFactorStartSchema,
  signedInSchema,
} from '../../../shared/contract/portal.ts';
import type { portalTrackListSchema } from '../../../shared/contract/portal-tracks.ts';
import type { systemSchema } from '../../../shared/contract/system.ts';
import type {
  invitationSchema,
  memberChangeSchema,
  memberLinkSchema,
  ownerInvitationSchema,
  teamMemberSchema,
} from '../../../shared/contract/team.ts';
import type { trackFileSchema } from '../../../shared/contract/tracks.ts';

export type PortalUser = z.output<typeof portalUserSchema>;
/** Email address and password, or the token of a sign-in link. */
export type Login = z.input<typeof loginSchema> | z.input<typeof linkLoginSchema>;
/** An API token without its text. */
export type PortalToken = z.output<typeof portalTokenSchema>;
/** A new API token with its text, which is returned only once. */
export type NewPortalToken = z.output<typeof newPortalTokenSchema>;
export type { AccountUsage };
export type TeamMember = z.output<typeof teamMemberSchema>;
export type MemberLink = z.output<typeof memberLinkSchema>;
export type PortalTrackList = z.output<typeof portalTrackListSchema>;
/** A track of the account, without points. */
export type PortalTrack = PortalTrackList['tracks'][number];
/** What the account added to the depths from the crowd. */
export type AccountContributions = z.output<typeof contributionsSchema>;
/** Consent for uploads without `share`. */
export type DefaultConsent = z.output<typeof defaultShareSchema>;
export type PortalAccount = z.output<typeof accountSchema>;
export type ModeratedReport = z.output<typeof moderatedReportSchema>;
export type ModeratedPage = z.output<typeof moderatedPageSchema>;
export type ReportDetails = z.output<typeof reportDetailsSchema>;
export type ReportBlock = z.output<typeof blockSchema>;
export type AuditEntry = z.output<typeof auditEntrySchema>;
export type SystemState = z.output<typeof systemSchema>;
export type ChartBuild = z.output<typeof buildsSchema>[number];
export type ChartCells = z.output<typeof chartCellsSchema>;
export type ChartUploadList = z.output<typeof uploadListSchema>;
export type ChartUpload = ChartUploadList['uploads'][number];
export type ChartJobList = z.output<typeof jobListSchema>;
export type ChartJob = z.output<typeof chartJobSchema>;
/** Whose data is counted or erased. */
export type Person = z.input<typeof personSchema>;
export type Traces = z.output<typeof tracesSchema>;
export type Erased = z.output<typeof erasedSchema>;

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
    body: z.input<typeof loginSchema>;
    answer: z.output<typeof signedInSchema>;
  };
  'POST /auth/loginByLink': {
    body: z.input<typeof linkLoginSchema>;
    answer: z.output<typeof signedInSchema>;
  };
  'POST /auth/logout': { answer: undefined };
  'POST /auth/logoutEverywhere': { answer: undefined };
  'GET /auth/whoami': { answer: PortalUser };
  'POST /user/passwordChange': { body: z.input<typeof passwordChangeSchema>; answer: undefined };
  'POST /user/secondFactor': {
    body: z.input<typeof secondFactorStartSchema>;
    answer: z.output<typeof secondFactorSchema>;
  };
  'POST /user/secondFactor/confirm': {
    body: z.input<typeof factorCodeSchema>;
    answer: z.output<typeof signedInSchema>;
  };
  'POST /user/secondFactor/end': {
    body: z.input<typeof secondFactorStartSchema>;
    answer: z.output<typeof signedInSchema>;
  };
  'GET /usage': { answer: AccountUsage };
  'GET /apiTokens': {
    query?: { limit?: number; before?: string; ended?: boolean };
    answer: PortalToken[];
  };
  'POST /apiTokens': { body: z.input<typeof apiTokenInputSchema>; answer: NewPortalToken };
  'POST /apiTokens/{id}': {
    id: string;
    body: z.input<typeof apiTokenChangeSchema>;
    answer: PortalToken;
  };
  'DELETE /apiTokens/{id}': { id: string; answer: undefined };
  'POST /apiTokens/{id}/rotate': {
    id: string;
    body: z.input<typeof rotationSchema>;
    answer: NewPortalToken;
  };
  'GET /team': { query?: { limit?: number; after?: string }; answer: TeamMember[] };
  'POST /team': { body: z.input<typeof invitationSchema>; answer: MemberLink };
  'POST /team/{id}': {
    id: string;
    body: z.input<typeof memberChangeSchema>;
    answer: TeamMember;
  };
  'DELETE /team/{id}': { id: string; answer: undefined };
  'POST /team/{id}/link': { id: string; answer: MemberLink };
  'POST /team/{id}/logoutEverywhere': { id: string; answer: undefined };
  'GET /tracks': { query?: { limit?: number; cursor?: string }; answer: PortalTrackList };
  'GET /tracks/{id}.geojson': { id: string; answer: z.output<typeof trackFileSchema> };
  'GET /tracks/{id}.csv': { id: string; answer: string };
  'GET /tracks/{id}.gpx': { id: string; answer: string };
  'POST /tracks/consent': {
    body: z.input<typeof shareSchema>;
    answer: z.output<typeof sharedSchema>;
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
  'GET /admin/accounts': { query?: { limit?: number; after?: string }; answer: PortalAccount[] };
  'POST /admin/accounts': { body: z.input<typeof newAccountSchema>; answer: PortalAccount };
  'GET /charts/cells': { answer: ChartCells };
  'GET /charts/uploads': {
    query?: { limit?: number; offset?: number };
    answer: ChartUploadList;
  };
  'GET /charts/uploads/{id}': { id: string; answer: z.output<typeof uploadSchema> };
  'GET /charts/getPermit': { answer: z.output<typeof userPermitSchema> };
  'DELETE /charts/uploads/{id}': { id: string; answer: { message: string } };
  'GET /jobs': {
    query?: { limit?: number; offset?: number; activeOnly?: boolean };
    answer: ChartJobList;
  };
  'GET /jobs/{id}': { id: string; answer: ChartJob };
  'POST /jobs/{id}/cancel': { id: string; answer: ChartJob };
  'POST /jobs/{id}/retry': { id: string; answer: ChartJob };
  'POST /admin/accounts/{id}': {
    id: string;
    body: z.input<typeof accountChangeSchema>;
    answer: PortalAccount;
  };
  'POST /admin/accounts/{id}/owner': {
    id: string;
    body: z.input<typeof ownerInvitationSchema>;
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
  'GET /admin/usage': { query?: { account?: string }; answer: AccountUsage };
  'POST /admin/erasure/count': { body: Person; answer: Traces };
  'POST /admin/erasure': { body: Person; answer: Erased };
};
