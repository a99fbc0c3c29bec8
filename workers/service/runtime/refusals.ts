// Every code of a refusal and what it means to whoever gets it: the words of the page that the `type`
// of a problem points at (RFC 9457, section 3.1.1).

export const REFUSALS = {
  artwork_unavailable:
    'Symbols and fonts cannot be read right now. Try again, as Retry-After says.',
  bad_bathymetry: 'A field of the soundings is missing or wrong; `errors` names the first ten.',
  bad_idempotency_key: 'The header Idempotency-Key is empty, too long, or no printable ASCII.',
  bad_json: 'The body is no JSON object in UTF-8, or it is nested too deep.',
  bad_query: 'A parameter or a field of the question is missing or wrong; `errors` names it.',
  bad_report: 'A field of the report or the vote is missing or wrong; `errors` names it.',
  bad_region: 'A parameter of the region is missing or wrong; `errors` names it.',
  bad_request: 'The request is none: its Host, its target or its framing is not as HTTP has it.',
  bad_route: 'A field of the route is missing or wrong; `errors` names it.',
  bad_style: 'A field of the saved style is missing or wrong; `errors` names it.',
  bad_style_parameter: 'A parameter of the style is not understood; `errors` names it.',
  bad_tile: 'The zoom, column or row of the tile is no whole number or out of range.',
  bad_track_id: 'The id in the address is no UUID.',
  bad_user_token: 'A field of the question for a user token is wrong; `errors` names it.',
  body_too_large: 'The body, or a part of it, has more bytes than are taken.',
  charts_unavailable: 'The charts cannot be read right now. Try again, as Retry-After says.',
  database_unavailable: 'The database cannot be reached right now. Try again, as Retry-After says.',
  headers_too_large: 'The headers and the address have more bytes than are taken, 64 KiB together.',
  heavy_work_unavailable:
    'What works out routes does not answer right now. Try again, as Retry-After says.',
  idempotency_key_reused: 'The Idempotency-Key was used with another body within a day.',
  incomplete_body: 'The body broke off, or its length or chunks were none that HTTP has.',
  internal_error: 'Something went wrong on our side. Tell us the requestId.',
  limits_unavailable: 'It cannot be counted how often you ask. Try again, as Retry-After says.',
  method_not_allowed:
    'The address does not take that method; the header Allow names those it takes.',
  mixed_vessels:
    'The tracks are of different vessels, loggers or providers; ask for a file for each.',
  no_chart_data: 'No chart lies within this tile, or nothing at all within the region.',
  not_found: 'There is nothing at this address.',
  not_owner: 'Only its owner or an administrator may delete a report.',
  origin_not_allowed: 'The token is for other origins than the one of this page.',
  outcome_unknown:
    'Whether the write was carried out is not known. Send the same again, with the `idempotencyKey` where one is named, or ask for the `id`.',
  own_report: 'Votes on reports of one’s own are not taken here.',
  pilot_required: 'This endpoint is open to pilot customers.',
  plan_required: 'This endpoint is part of the enterprise plan.',
  range_not_satisfiable:
    'The range begins beyond the end of the file; Content-Range says its length.',
  raster_unavailable: 'The picture cannot be drawn right now. Try again, as Retry-After says.',
  region_changed:
    'The charts have changed since the file that If-Match names was begun. Begin it anew, or ask for the delta.',
  region_not_known:
    'The file that `from` names is none of this box, or its build is no longer kept. Take the whole region.',
  region_too_large:
    'The region would be larger than `limitBytes`, or has too many tiles. Ask for a smaller box or a smaller maxZoom; whoever runs the service makes larger ones with `charts extract`.',
  report_exists: 'A report with this id exists; `owned` says that it is yours.',
  report_gone: 'The report was deleted or has expired.',
  report_not_found: 'There is no report with this id.',
  secret_token_required: 'A public token may not say who its end user is; a secret one may.',
  request_timeout:
    'The body came too slowly: nothing for half a minute, or less than 4 kB a second for a minute.',
  scope_required: 'The token lacks a scope; mint one that has it.',
  style_name_taken: 'Another saved style of the account has that name.',
  style_not_found: 'There is no saved style with this id or name.',
  tile_out_of_range: 'The zoom, column or row of the tile is out of range.',
  token_expired: 'The token was valid and has expired; get another.',
  token_invalid: 'The token is not valid: it was changed, revoked, or never signed here.',
  token_required: 'A token is required, as `Authorization: Bearer …` or as `?token=…`.',
  tokens_unavailable: 'Tokens cannot be verified right now. Try again, as Retry-After says.',
  too_many_at_once:
    'As much work is under way for the token or its account as may be at once. Try again, as Retry-After says.',
  too_many_requests: 'The token asked too often. Try again, as Retry-After says.',
  too_many_soundings:
    'The request, or the file asked for, has more soundings than one may have; send or ask for several.',
  too_many_styles: 'The account has as many saved styles as it may have.',
  too_many_values: 'The body has more values than are taken.',
  track_not_found: 'There is no track with this id among yours.',
  user_token_invalid:
    'The user token was not signed here, has expired, or is another account’s; ask for a new one.',
  user_token_required:
    'A public token deletes a report for the end user who made it: send their user token as Leadline-User.',
  unavailable: 'The service is starting or stopping. Try again, as Retry-After says.',
  unsupported_media_type: 'The body is encoded, in parts, or not declared as JSON.',
} as const satisfies Readonly<Record<string, string>>;

export type RefusalCode = keyof typeof REFUSALS;
