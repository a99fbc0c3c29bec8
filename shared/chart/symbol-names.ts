// Fact table of every image that a chart feature or a style can use, by its name in the sprites (the S-52 name if
// there is one). Portrayal may return only names from here (enforced by types), and the sprite build draws exactly these.

/** Underwater dangers, rocks, wrecks, sea bed and doubtful positions. */
export const DANGER_SYMBOLS = [
  'ISODGR01',
  'DANGER01',
  'DANGER02',
  'DANGER03',
  'UWTROC03',
  'UWTROC04',
  'OBSTRN01',
  'OBSTRN02',
  'OBSTRN03',
  'OBSTRN11',
  'WRECKS01',
  'WRECKS04',
  'WRECKS05',
  'FOULGND1',
  'FLTHAZ02',
  'FSHHAV01',
  'WATTUR02',
  'WEDKLP03',
  'SNDWAV02',
  'SPRING02',
  'LOWACC01',
  'QUESMRK1',
  'NEWOBJ01',
] as const;

/** Lights (pivot at the sharp end, pointing up), floats, vessels and fog signals. */
export const LIGHT_SYMBOLS = [
  'LIGHTS11',
  'LIGHTS12',
  'LIGHTS13',
  'LIGHTS81',
  'LIGHTS82',
  'LITDEF11',
  'LITFLT01',
  'LITFLT02',
  'LITVES02',
  'FOGSIG01',
] as const;

/**
 * Lights whose position is the middle of the lower edge of their image, not its centre. They cover only their own
 * ink, so that texts may be placed on the other side.
 */
export const FLARE_SYMBOLS = ['LIGHTS11', 'LIGHTS12', 'LIGHTS13', 'LITDEF11'] as const;

/** Buoys and beacons in the simplified set. */
export const SIMPLIFIED_MARK_SYMBOLS = [
  'BOYLAT13',
  'BOYLAT14',
  'BOYLAT23',
  'BOYLAT24',
  'BOYCAR01',
  'BOYCAR02',
  'BOYCAR03',
  'BOYCAR04',
  'BOYISD12',
  'BOYSAW12',
  'BOYSPP11',
  'BOYSPP15',
  'BOYSPP25',
  'BOYSPP35',
  'BOYMOR11',
  'BOYSUP02',
  'BOYDEF03',
  'BCNLAT15',
  'BCNLAT16',
  'BCNLAT21',
  'BCNLAT22',
  'BCNCAR01',
  'BCNCAR02',
  'BCNCAR03',
  'BCNCAR04',
  'BCNISD21',
  'BCNSAW13',
  'BCNSAW21',
  'BCNSPP13',
  'BCNSPP21',
  'BCNDEF13',
] as const;

/** Paper-chart buoys that also exist filled, as `NAME-SUFFIX` (see BUOY_COLOR_SUFFIXES). */
export const PAPER_BUOY_SYMBOLS = [
  'BOYPIL01',
  'BOYCAN01',
  'BOYCON01',
  'BOYSPH01',
  'BOYSPR01',
  'BOYBAR01',
  'BOYSUP01',
  'BOYINB01',
  'BOYMOR01',
  'BOYMOR03',
  'BOYGEN03',
] as const;

/**
 * Body colours from top to bottom (B black, G green, O orange, R red, W white, Y yellow); `RW` means red and white
 * vertical stripes, the safe water mark, and `UY` blue and yellow ones, the mark of a new danger.
 */
export const BUOY_COLOR_SUFFIXES = [
  'B',
  'G',
  'O',
  'R',
  'W',
  'Y',
  'RG',
  'GR',
  'RGR',
  'GRG',
  'RW',
  'UY',
  'BY',
  'YB',
  'BYB',
  'YBY',
  'BRB',
  'WOW',
] as const;

/** Paper-chart beacons that also exist filled, as `NAME-SUFFIX` (see BEACON_COLOR_SUFFIXES). */
export const FILLED_BEACON_SYMBOLS = ['BCNSTK02', 'BCNGEN01', 'BCNTOW01', 'BCNLTC01'] as const;

/** As for buoys; few, because a sprite is limited in size. */
export const BEACON_COLOR_SUFFIXES = [
  'B',
  'G',
  'R',
  'W',
  'Y',
  'RGR',
  'GRG',
  'RW',
  'BY',
  'YB',
  'BYB',
  'YBY',
  'BRB',
] as const;

/** Paper-chart beacons; withies at the port-hand (PRICKE03) and starboard-hand side. */
export const PAPER_BEACON_SYMBOLS = [
  ...FILLED_BEACON_SYMBOLS,
  'BCNGEN03',
  'PRICKE03',
  'PRICKE04',
] as const;

/** Daymarks and topmarks; TOPMARxx below 20 and 65 are slanted for buoys, the others upright. */
export const TOPMARK_SYMBOLS = [
  'DAYSQR21',
  'DAYTRI21',
  'DAYTRI25',
  'TMARDEF1',
  'TMARDEF2',
  'TOPMAR02',
  'TOPMAR04',
  'TOPMAR05',
  'TOPMAR06',
  'TOPMAR07',
  'TOPMAR08',
  'TOPMAR10',
  'TOPMAR12',
  'TOPMAR13',
  'TOPMAR14',
  'TOPMAR16',
  'TOPMAR17',
  'TOPMAR18',
  'TOPMAR65',
  'TOPMAR22',
  'TOPMAR24',
  'TOPMAR25',
  'TOPMAR26',
  'TOPMAR27',
  'TOPMAR28',
  'TOPMAR30',
  'TOPMAR32',
  'TOPMAR33',
  'TOPMAR34',
  'TOPMAR36',
  'TOPMAR85',
  'TOPMAR86',
  'TOPMAR87',
  'TOPMAR88',
  'TOPMAR89',
] as const;

/** Landmarks and objects on land: the first of a pair is faint, the second conspicuous. */
export const LAND_SYMBOLS = [
  'POSGEN01',
  'POSGEN03',
  'POSGEN04',
  'TOWERS01',
  'TOWERS03',
  'TOWERS02',
  'TOWERS12',
  'TOWERS05',
  'TOWERS15',
  'CHIMNY01',
  'CHIMNY11',
  'FLASTK01',
  'FLASTK11',
  'MONUMT02',
  'MONUMT12',
  'DOMES001',
  'DOMES011',
  'MSTCON04',
  'MSTCON14',
  'FLGSTF01',
  'WNDMIL02',
  'WNDMIL12',
  'WIMCON01',
  'WIMCON11',
  'BUIREL01',
  'BUIREL13',
  'BUIREL04',
  'BUIREL14',
  'BUIREL05',
  'BUIREL15',
  'SILBUI01',
  'SILBUI11',
  'TNKCON02',
  'TNKCON12',
  'TNKFRM01',
  'TNKFRM11',
  'DSHAER01',
  'DSHAER11',
  'CAIRNS01',
  'CAIRNS11',
  'FORSTC01',
  'FORSTC11',
  'HILTOP01',
  'HILTOP11',
  'BUAARE02',
  'BUISGL01',
  'BUISGL11',
  'LNDARE01',
  'AIRARE02',
  'TREPNT04',
  'PRDINS02',
  'QUARRY01',
  'TMBYRD01',
  'WNDFRM51',
  'RFNERY01',
] as const;

/** Harbours, structures and services. */
export const HARBOUR_SYMBOLS = [
  'PILPNT02',
  'MORFAC03',
  'MORFAC04',
  'ACHBRT07',
  'BRTHNO01',
  'SMCFAC02',
  'HRBFAC09', // fishing harbour
  'HRBFAC10', // ferry terminal
  'HRBFAC11', // naval base
  'HRBFAC12', // tanker terminal
  'HRBFAC13', // passenger terminal
  'HRBFAC14', // shipyard
  'HRBFAC15', // container terminal
  'HRBFAC16', // bulk terminal
  'HRBFAC17', // ship lift
  'HRBFAC18', // straddle carrier
  'ROLROL01',
  'GATCON03',
  'GATCON04',
  'BRIDGE01',
  'CRANES01',
  'OFSPLF01',
  'HULKES01',
  'NOTBRD11',
  'DISMAR03',
  'CGUSTA02',
  'RSCSTA02',
  'PILBOP02',
  'SISTAT02',
  'SISTAW02',
  'RDOSTA02',
  'RADRFL03',
  'RTPBCN02',
  'RACNSP01',
  'RDOCAL02',
  'RDOCAL03',
  'RCLDEF01',
] as const;

/** Symbols of areas, routes and streams; arrows point up and are rotated by bearing. */
export const AREA_SYMBOLS = [
  'ACHARE02',
  'ACHARE51',
  'ACHRES51',
  'ACHRES61',
  'ACHRES71',
  'ENTRES51',
  'ENTRES61',
  'ENTRES71',
  'FSHRES51',
  'FSHRES61',
  'FSHRES71',
  'CTYARE51',
  'CTYARE71',
  'INFARE51',
  'RSRDEF51',
  'CTNARE51',
  'CHINFO06',
  'CHINFO07',
  'PRCARE12',
  'DWRTPT51',
  'DWRTPT-none',
  'DWRUTE51',
  'FAIRWY51',
  'FAIRWY52',
  'TSSLPT51',
  'TSSCRS51',
  'TSSRON51',
  'TWRTPT52',
  'TWRTPT53',
  'RCTLPT52',
  'TIDSTR01',
  'EBBSTR01',
  'FLDSTR01',
  'CURENT01',
  'FSHFAC02',
  'FSHFAC03',
  'MARCUL02',
  'MAGVAR01',
  'MAGVAR51',
  'LOCMAG01',
  'LOCMAG51',
  'DIRBOY01',
  'DIRBOYA1',
  'DIRBOYB1',
] as const;

/** Virtual aids to navigation, broadcast by AIS; not from S-52. */
export const VIRTUAL_AID_SYMBOLS = [
  'VAIS-north',
  'VAIS-east',
  'VAIS-south',
  'VAIS-west',
  'VAIS-port',
  'VAIS-starboard',
  'VAIS-isolated',
  'VAIS-safe',
  'VAIS-special',
  'VAIS-wreck',
  'VAIS-other',
] as const;

/** Patterns that tile a fill (property `pt`, or named by a style). */
export const PATTERN_SYMBOLS = [
  'DRGARE01',
  'NODATA03',
  'NODEPTH1',
  'BGLAND01',
  'OVERSC01',
  'PRTSUR01',
  'DIAMOND1',
  'FOULAR01',
  'RCKLDG01',
  'MARSHES1',
  'VEGATN03',
  'VEGATN04',
  'ICEARE04',
  'SNDWAV01',
  'FSHFAC04',
  'DQUALA11',
  'DQUALA21',
  'DQUALB01',
  'DQUALC01',
  'DQUALD01',
  'DQUALU01',
] as const;

/**
 * Drawn below soundings by styles: a ring around doubtful depths; lines under the whole number of a drying
 * height of one or two digits, for heights above and below the safety contour; both together.
 */
export const SOUNDING_SYMBOLS = [
  'SNDLOW',
  'SNDDRY21',
  'SNDDRY22',
  'SNDDRY11',
  'SNDDRY12',
  'SNDLOW21',
  'SNDLOW22',
  'SNDLOW11',
  'SNDLOW12',
] as const;

/** Images that styles place along lines, in place of line styles made of symbols. */
export const LINE_SYMBOLS = [
  'CBLSUB06',
  'PIPSOL05',
  'PIPSOL06',
  'FERYRT01',
  'FERYRT02',
  'LOWACC41',
  // Along tracks, by the direction of traffic (`k`); in place of S-52's line styles.
  'RECTRC-one-way',
  'RECTRC-reverse',
  'RECTRC-two-way',
  'RCRTCL-one-way',
  'RCRTCL-reverse',
  'RCRTCL-two-way',
  'DWRTCL-one-way',
  'DWRTCL-reverse',
  'DWRTCL-two-way',
  'DWRTCL-none',
  // Along limits of areas, by the kind of boundary (`bd`); in place of S-52's line styles.
  'LIMIT-entry',
  'LIMIT-anchor',
  'LIMIT-fishing',
  'LIMIT-caution',
  'LIMIT-info',
  'LIMIT-default',
] as const;

/** Pins of user reports; not from S-52. */
export const REPORT_SYMBOLS = ['UR-hazard', 'UR-accident', 'UR-weather', 'UR-wildlife'] as const;

/** Red, green, white or yellow, and other colours (M); faint or partially obscured lights of any colour (B). */
export const SECTOR_COLORS = ['R', 'G', 'W', 'M', 'B'] as const;
/** Degrees that one sector image spans, clockwise from its upright start. */
export const SECTOR_SPANS = [1, 2, 4, 8, 16, 32, 64, 128] as const;

export type BuoyColorSuffix = (typeof BUOY_COLOR_SUFFIXES)[number];
export type FilledBeaconName =
  `${(typeof FILLED_BEACON_SYMBOLS)[number]}-${(typeof BEACON_COLOR_SUFFIXES)[number]}`;
export type PaperBuoySymbol = (typeof PAPER_BUOY_SYMBOLS)[number];
export type PatternName = (typeof PATTERN_SYMBOLS)[number];
export type VirtualAidName = (typeof VIRTUAL_AID_SYMBOLS)[number];
export type SectorColor = (typeof SECTOR_COLORS)[number];
export type SectorSpan = (typeof SECTOR_SPANS)[number];

/** `arc-R-64`: an arc; `arc-R-64-outer`: the larger ring of a nested sector. */
export type SectorImage =
  | `arc-${SectorColor}-${SectorSpan}`
  | `arc-${SectorColor}-${SectorSpan}-outer`
  | 'leg';

/** Possible values of `sy` and `sp` of a point feature. */
export type SymbolName =
  | (typeof DANGER_SYMBOLS)[number]
  | (typeof LIGHT_SYMBOLS)[number]
  | (typeof SIMPLIFIED_MARK_SYMBOLS)[number]
  | (typeof PAPER_BUOY_SYMBOLS)[number]
  | (typeof PAPER_BEACON_SYMBOLS)[number]
  | FilledBeaconName
  | (typeof TOPMARK_SYMBOLS)[number]
  | (typeof LAND_SYMBOLS)[number]
  | (typeof HARBOUR_SYMBOLS)[number]
  | (typeof AREA_SYMBOLS)[number]
  | VirtualAidName
  | `${PaperBuoySymbol}-${BuoyColorSuffix}`;

/** Symbols that SYMINS of a new object may request: whole symbols, not parts of others. */
export const SYMBOLS_FOR_NEW_OBJECTS: ReadonlySet<string> = new Set([
  ...DANGER_SYMBOLS,
  ...LIGHT_SYMBOLS,
  ...SIMPLIFIED_MARK_SYMBOLS,
  ...PAPER_BUOY_SYMBOLS,
  ...PAPER_BEACON_SYMBOLS,
  ...TOPMARK_SYMBOLS,
  ...LAND_SYMBOLS,
  ...HARBOUR_SYMBOLS,
  ...AREA_SYMBOLS,
]);
