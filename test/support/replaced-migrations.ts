// The migrations of development versions, which the first files in `migrations/` replaced.

import type { Client } from 'pg';
import type { AppliedMigration } from '../../workers/host/database/migrations.ts';

/** Names and digests of the files 0001 to 0040. */
export const REPLACED_MIGRATIONS: readonly AppliedMigration[] = `
0001-runtime-role.sql 37726c20f52651d4fd8827bbf42d5eb511fac9eacebf991b313513c04bfc1005
0002-saved-styles.sql dfd9d3cd4ac14b4e562fd5e54ebfe24bb16ad8e7574ad06c557a9a6161092b18
0003-accounts.sql 0bb68038c366f83392d74dc32cbc1eca90f32dd25c6a99b83d1e951e0fe5dc16
0004-user-reports.sql 914145a2a3a97c5994245810185fa26942e8e8920839c64f352a7c5c34094bac
0005-tracks.sql d61512ae03847b269159615501faeb812ce46e6fe55436ea236ca2a2946b619a
0006-idempotency-keys.sql c1387d7a59fa2f42b4f6ce06b7827e8336bfa7c49547533cdc056d2cf8dc48ce
0007-endless-tokens.sql 9aa4dea1ba95e58aad28f7ef0f0aa477a78ba9d85cc230cb36265a7a5b35df32
0008-report-pages.sql 2ada27c0137d78f6db639856177a62f25018ad69a64dbc829afde59820aba695
0009-report-tiles.sql 172fe96cef4b22cb4354acb20d6cb92cebacd5b2a00c233b0c06157104001b28
0010-opaque-tokens.sql 3d410844da37c7858a9501f41583001d8092c5df2f64da65e47d0155a39143dc
0011-portal.sql 310d526950e6db0d84048dfc4856d6cc5631340677a5cfe09b47e8df821e5c10
0012-team.sql dc61cc33ce02bc28e1b7af3817dd4e1ad3fb502959da1e4bb9bea7adc80e7d86
0013-audit.sql 75d9fa9c17c5a158dc6ae185ee36b5a48753cf18856bd9f5178c5a8689733176
0014-token-pages.sql 7415af85735a68edc7b052d23534bbef59461cb900164924098e286467f20e2e
0015-accounts.sql 157a931d47b331e33c71dab92e02ccd2b1cf0bbbe3b07fe658fa06d489a44ad6
0016-moderation.sql 64b818ab5dd58e3a4cd90d670b783c4c1c7a560391621b6689e568fe939b6451
0017-portal-styles.sql fb6502619cb5e938c38c96af7dcffc0622d6ffeac38cc2a7b8a5527c8eae890f
0018-administration.sql b4ef731d6e8007edbcf3c3d75b029798e92902614249b60844cc9d2fcaed9089
0019-portal-tracks.sql f8ff30ac0d208ae08d8d33a65c2de8a58d31133ca62d5e167061f41bb797569a
0020-suspended-users.sql ec2713762e8034785b7b7185aaac0cad1eadb454d3a103d36b4e42b1bcc446e0
0021-first-owners.sql 0494d95db4ec81593f50b6cc206357e7bb8355afb3c15c6725845368fd92525d
0022-second-factor.sql 49c7d0b3c46d67793dabec5c44d3ace8443f79b899feb38dbdef203d7082d2d0
0023-consent.sql 747be47859e401c4183a11da443849df548dec5ba7d916a767c984e945b67ec0
0024-usage-kinds.sql 662118c4838ffdf6c206513c651fe266773653767fdf1cbf689534350fc41ad3
0025-crowd-tracks.sql 1c78caa3950a40c7e973abef90489faaa294d417ad8773765af468090257f4ba
0026-chart-uploads.sql 2f742c74871157b31134152a2dd63f7dc585253397866fc0ae32b2b336fdf16d
0027-chart-set-builds.sql 2709f3e836b257b24b347052b07276871e42f62f3d7bb3baaca3d93eb02c9152
0028-chart-refresh.sql b29acaebcee22fafb20e58319cad3db1d07f9da9a20d04aa553b1517e26e93ea
0029-resumable-uploads.sql d970a2b3c05e12bcdd20fa64947049a16e81eefb45ed592e7a92758c8262dc42
0030-upload-metadata.sql fabaf93607de34f0da5d26d905b47768c5761832324f5c77835c6bedbe91a781
0031-suspended-members.sql 5f1eb32d4ad6883bbc3c32658ed61f2bca2c64ae5c647b0d3cc2723705ca5f58
0032-passkeys.sql 5aa2561c1ac4d435f51bff68d7ce1981408fe78ec21aacfc79c674a6cd6acc2d
0033-depth-references.sql 3b12cb08e0cdc5119dcbf3a835c16f05b6704d2f1b356bdc6d3efea6b2051f33
0034-upload-limits.sql 506e64f81494d24647fe37efefeb19a65ca315fd8c8dd00bc90c9777b5108453
0035-null-references.sql 7cf735da14b8db04a815483494e3d539a6e5b2a9f7a50a3e1d75a641900a0a96
0036-end-users.sql dfd03ef962f875915c0fcd70d720a31ec25a8827e86373961ec8f7c4699452db
0037-repeated-erasure.sql ff305c5093a911f7d684a9eb482c803bab3508eb1dc94e9bb5161001503ae2e4
0038-bounded-changes.sql 8ab249c4b31bf9696329a94c095c97313e2b8cdb849e7cc712e79f1bb3ae1881
0039-compared-references.sql 2cbed397f435a5ad26783f34e65a9f28f3d9ebcff3133f70dd83224c5a64be5e
0040-stated-users.sql 06cb53698c3c82ab825c05a045ec3873b8000933ca8f53c20747ede79a132328`
  .trim()
  .split('\n')
  .map((line) => ({ name: line.slice(0, -65), sha256: line.slice(-64) }));

/** Give a migrated database the record of a development version. Later migrations stay recorded. */
export async function recordReplaced(client: Client): Promise<void> {
  const names = REPLACED_MIGRATIONS.map(({ name }) => name);
  const digests = REPLACED_MIGRATIONS.map(({ sha256 }) => sha256);
  await client.query('DELETE FROM schema_migration WHERE number <= $1', [names.length]);
  await client.query(
    `INSERT INTO schema_migration (number, name, sha256)
     SELECT number, name, sha256 FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS row (name, sha256, number)`,
    [names, digests],
  );
}
