// The `code` of every error response with its status and meaning. The meaning is the text on /docs that the
// `type` of a problem document links to (RFC 9457, section 3.1.1), and the message of an error without
// another one.

const MEANINGS = {
  400: {
    bad_bathymetry:
      'A field of the soundings is missing or invalid. `errors` lists the first ten; correct them.',
    bad_idempotency_key:
      'The `Idempotency-Key` header is invalid. It must have 1 to 255 printable ASCII characters.',
    bad_json:
      'The body is not a JSON object in UTF-8, or it is nested too deeply. Correct the body.',
    bad_portal_request:
      'A field of the request to the portal is missing or invalid. `errors` lists it; correct it.',
    bad_query:
      'A parameter of the query is missing, invalid, misspelt or, in the import of a log, unknown. `errors` lists it; correct it.',
    bad_region: 'A parameter of the region is missing or invalid. `errors` lists it; correct it.',
    bad_report:
      'A field of the report or vote is missing or invalid. `errors` lists it; correct it.',
    bad_request:
      'The HTTP request is malformed: its `Host` header, URL or framing is invalid. Check the client or proxy that sent it.',
    bad_route: 'A field of the route is missing or invalid. `errors` lists it; correct it.',
    bad_style: 'A field of the saved style is missing or invalid. `errors` lists it; correct it.',
    bad_style_parameter: 'A parameter of the style is invalid. `errors` lists it; correct it.',
    bad_tile:
      'The zoom, column or row of the tile is not an integer or is out of range. The message states the range.',
    bad_track_id:
      'The id in the path is not a UUID. Use the id of a track from the list of tracks.',
    bad_tus_request:
      'A header of the tus protocol is missing, invalid or not supported. Correct it, or use a client library for tus 1.0.',
    bad_upload:
      'The form has no file, or a file of a kind that is not accepted. Send cells, zips or permits as `file`.',
    bad_user_token:
      'A field of the request for a user token is invalid. `errors` lists it; correct it.',
    incomplete_body:
      'The body ended early, or its length or chunks are invalid. Send the request again.',
    mixed_vessels:
      'The tracks belong to different vessels, loggers, providers or depth references. Request one file for each, or use CSV or GPX.',
    passkey_invalid:
      'The credential does not match the challenge or the origin, or the device did not verify its user. Start again.',
    profile_too_large:
      'The line of the depth profile crosses more chart data than one request may read. Send it in parts.',
  },
  401: {
    code_required:
      'The user has a second factor, and the request has no code. Send a code of the authenticator app or a recovery code.',
    code_wrong:
      'The code of the second factor is wrong, has expired or was used. Send the current code or an unused recovery code.',
    session_required:
      'The endpoint requires a session of the portal. Sign in at `/portal`, or send a session token as `Authorization: Bearer …`.',
    sign_in_failed:
      'The email address, password, passkey or sign-in link is wrong or has expired. Ask an administrator for a sign-in link.',
    token_expired: 'The token has expired. Request a new one.',
    token_invalid:
      'The token is invalid: it was modified, revoked or not issued by this service. Copy it again, or request a new one.',
    token_required:
      'The endpoint requires a token. Send it as `Authorization: Bearer …` or as `?token=…`.',
    user_token_invalid:
      'The user token is invalid, has expired or belongs to another account. Request a new one.',
  },
  403: {
    account_limit:
      'The account may not have such a token, or it is suspended. Ask the operator of the service.',
    cross_site_request:
      'A change with a session cookie came from a page of another site. Send it from the portal, or with a session token in `Authorization`.',
    not_owner:
      'Only the owner of a report or an administrator can delete it. Use the token that created the report.',
    origin_not_allowed:
      'The token is restricted to other origins, or the request has no origin. Use a token for the origin of the request. Without an `Origin` header, the origin of `Referer` counts: `Referrer-Policy` must allow it.',
    own_report: 'Votes on your own reports are not accepted. Other users can vote on them.',
    pilot_required:
      'The token must belong to an account that may plan routes (`--pilot`). Ask the operator to permit this, then create a new token.',
    plan_required: 'The endpoint requires the enterprise plan. Ask the operator for this plan.',
    region_not_licensed:
      'The licence of the charts does not permit files of regions. Use the tiles of the service.',
    role_required:
      'The role of the user does not permit this request. Ask the owner of the account.',
    scope_required: 'The token does not have the required scope. Use a token with this scope.',
    secret_token_required: '`externalUserId` requires a secret token. Use one, or omit the field.',
    user_blocked:
      'The account has blocked the user: new reports and votes are rejected. Ask the operator of the app.',
    user_suspended:
      'The user is suspended and cannot sign in. Ask the owner of the account, or the operator of the service.',
    user_token_required:
      'With a public token, only the end user who created a report can delete it. Send their user token in `Leadline-User`.',
  },
  404: {
    account_not_found: 'There is no account with this id. List the accounts and check the id.',
    block_not_found:
      'The account has no block with this number. List the blocks and check the number.',
    job_not_found: 'The account has no job with this id. List its jobs and check the id.',
    no_chart_data:
      'No chart covers the tile, or the region contains no data. Request a different area.',
    no_crowd_data:
      'The service has no crowdsourced depths. The operator publishes them with `charts crowd`.',
    no_tide_station:
      'No tide station is near the position, so no height of the tide can be predicted. Choose a position nearer to a coast with stations.',
    not_found: 'There is nothing at this address. Check the path.',
    passkey_not_found: 'The user has no passkey with this id. List the passkeys and check the id.',
    permit_not_set:
      'The service has no user permit, because it is not set up for encrypted charts (S-63) or no worker is connected. Ask its operator.',
    set_not_found:
      'The account has no version of its charts with this id. List the versions and check the id.',
    region_not_known:
      '`from` refers to a file of a different bounding box, or of a build that is no longer available. Download the whole region.',
    report_not_found: 'There is no report with this id. Check the id.',
    style_not_found:
      'The account has no saved style with this id or name. List its styles and check the id or name.',
    tile_out_of_range:
      'The zoom, column or row of the tile is out of range. The message states the range.',
    token_not_found: 'The account has no token with this id. List its tokens and check the id.',
    track_not_found: 'You have no track with this id. List your tracks and check the id.',
    upload_not_found: 'The account has no upload with this id. List its uploads and check the id.',
    user_not_found: 'The account has no user with this id. List its users and check the id.',
  },
  405: {
    method_not_allowed:
      'The endpoint does not support the method. The `Allow` header lists the supported methods.',
  },
  408: {
    request_timeout:
      'The body arrived too slowly: no data for 30 seconds, less than 4 kB per second after a minute, or an upload of charts with less than 64 kB per second while another one waits. Send it again; a resumable upload continues.',
  },
  409: {
    account_conflict:
      'The id is taken, the account was erased, or it is your own. List the accounts, then correct the request.',
    erasure_conflict:
      'The person is you, or has too many tokens. Ask the operator to run `npm run tokens -- erase`.',
    idempotency_key_reused:
      'The `Idempotency-Key` was used with a different body in the last 24 hours. Use a new key.',
    job_conflict:
      'The state of the job does not permit the change. List the jobs and check the state.',
    mail_not_configured:
      'The service sends no email, or no worker that sends it is connected. Ask an administrator for a sign-in link.',
    passkey_conflict:
      'The passkey is in use already, or the user has too many. Use another passkey, or remove one.',
    producer_missing:
      'No producer is configured, or no worker is connected that has one. The operator sets LEADLINE_SYNC for the chart worker.',
    set_conflict:
      'The account sees this version of its charts already, or an upload in it was deleted. Choose another version.',
    report_exists:
      'A report with this id already exists; if `owned` is true, it is yours. Use a different id, or omit it.',
    report_over:
      'The report cannot be restored because it has expired or its author was erased. If the author was erased, the author cannot be blocked either.',
    second_factor_conflict:
      'The user has a second factor already, or its setup was not started. Turn it off, or start the setup.',
    style_name_taken:
      'Another saved style of the account has this name. Choose a different name, or replace that style.',
    team_conflict:
      'The address has a user already, the team is full, the account would have no owner, or the user is you or suspended. List the team, then correct the request.',
    token_conflict:
      'The token was replaced or revoked, or it is signed and cannot be changed. Create a new token.',
    too_many_styles:
      'The account has the maximum number of saved styles. Delete one before you create another.',
    track_not_corrected:
      'The corrections of a track are not known: it is private or not yet in the crowdsourced depths, or its stated reference of the depths is not transducer, waterline, keel or unknown. Share it and wait for the next build, or state one of these as `depthReference` in later uploads.',
    upload_offset_conflict:
      '`Upload-Offset` is not the number of received bytes. Request it with HEAD and continue there.',
    uploads_full:
      'Too many uploads of the account are not processed or removed yet, or it keeps too many. Wait until some have ended, or delete uploads.',
  },
  410: {
    upload_expired:
      'The upload was not continued within 24 hours, or it was ended. Start it again.',
    report_gone: 'The report was deleted or has expired. List the active reports instead.',
  },
  412: {
    tus_version_not_supported:
      'The version of the tus protocol is missing or not supported. Send `Tus-Resumable: 1.0.0`.',
    region_changed:
      'The charts have changed since the file in `If-Match` was created. Download it from the start, or request a delta with `from`.',
  },
  413: {
    body_too_large:
      'The body, or a part of it, exceeds the size limit in the message. Send less data per request.',
    crowd_area_too_large:
      'The box of the crowdsourced depths needs too many tiles. Request a smaller box or a lower zoom.',
    region_too_large:
      'The region exceeds `limitBytes` or has too many tiles. Request a smaller box or a lower `maxZoom`. The operator can create larger regions with `charts extract`. With `from`, there may be too much to compare: download the whole region without it.',
    too_many_soundings:
      'The request or the requested file has too many soundings. Split it into several requests.',
    too_many_values: 'The body has too many JSON values. Send less data per request.',
  },
  415: {
    unsupported_media_type:
      'The body is compressed, or its `Content-Type` is not the documented one. Send it uncompressed, with the documented `Content-Type`. Endpoints with JSON bodies refuse multipart, and all but `application/json` if the service has `STRICT_CONTENT_TYPE=on`.',
  },
  416: {
    range_not_satisfiable:
      'The range begins after the end of the file. Request a range within the length in `Content-Range`.',
  },
  429: {
    too_many_at_once:
      'Too many requests of this kind are running for the token, the account or the service. Retry after the time in `Retry-After`.',
    too_many_requests:
      'The token or client address exceeded a rate limit. Retry after the time in `Retry-After`.',
  },
  431: {
    headers_too_large:
      'The request line and headers exceed 64 KiB. Shorten the URL, cookies or other headers.',
  },
  500: {
    internal_error: 'The service failed. Report the `requestId` to the operator.',
  },
  503: {
    artwork_unavailable:
      'Symbols and fonts are temporarily unavailable. Retry after the time in `Retry-After`.',
    charts_unavailable:
      'The charts are temporarily unavailable. Retry after the time in `Retry-After`.',
    database_unavailable:
      'The database is unavailable, and nothing was changed. Retry after the time in `Retry-After`.',
    heavy_work_unavailable:
      'The service for routes is unavailable. Retry after the time in `Retry-After`.',
    limits_unavailable:
      'The rate limiter is unavailable, and the request was not processed. Retry after the time in `Retry-After`.',
    outcome_unknown:
      'It is unknown whether the write was carried out. If the response has an `idempotencyKey`, repeat the request with it. Otherwise look up the `id` of the response, or read what was changed, before you repeat the request.',
    raster_unavailable:
      'The raster tile cannot be rendered at the moment. Retry after the time in `Retry-After`.',
    tokens_unavailable:
      'Tokens cannot be verified at the moment. Retry after the time in `Retry-After`.',
    unavailable:
      'The service, or a part that it needs, is starting, stopping or not available. Retry after the time in `Retry-After`.',
    uploads_unavailable:
      'The files of an upload cannot be stored. Retry after the time in `Retry-After`.',
  },
} as const;

type Meanings = typeof MEANINGS;
export type RefusalCode = { [Status in keyof Meanings]: keyof Meanings[Status] }[keyof Meanings];

interface Refusal {
  readonly status: number;
  /** Names in it stand between backticks. */
  readonly meaning: string;
}

/** Sorted by code. */
export const REFUSALS = Object.fromEntries(
  Object.entries(MEANINGS)
    .flatMap(([status, meanings]) =>
      Object.entries(meanings).map(
        ([code, meaning]) => [code, { status: Number(status), meaning }] as const,
      ),
    )
    .sort(([code], [other]) => (code < other ? -1 : 1)),
) as Readonly<Record<RefusalCode, Refusal>>;
