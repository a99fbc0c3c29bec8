// The response of the portal that lists the builds of the charts.

import * as z from 'zod';
import { count, epochMs } from './units.ts';

/** Maximum number of listed builds, including the current one. */
export const MAX_BUILDS = 10;

const build = z
  .strictObject({
    id: z.string().describe('Id of the build'),
    isCurrent: z.boolean().describe('Whether the service uses the build'),
    builtAt: epochMs
      .nullable()
      .describe('Time of the build, epoch milliseconds; `null` if its manifest cannot be read'),
    sourcedAt: epochMs
      .nullable()
      .describe('Time of the newest chart file; `null` if the manifest cannot be read'),
    cells: count.nullable().describe('Number of cells; `null` if the manifest cannot be read'),
    rollback: z
      .string()
      .nullable()
      .describe('Command that makes the build current again; `null` for the current build'),
  })
  .meta({ id: 'ChartBuild', description: 'A build of the charts' });
export type ChartBuild = z.infer<typeof build>;

export const buildsSchema = z.array(build).max(MAX_BUILDS);
