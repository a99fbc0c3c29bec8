// The response of the portal API about the state and the settings of the service.

import * as z from 'zod';

const part = z
  .strictObject({
    name: z.string().describe('Name of the part'),
    isGood: z.boolean().describe('Whether the part works'),
    text: z.string().describe('Its state, as a sentence'),
  })
  .meta({ id: 'ServicePart', description: 'State of a part of the service' });
export type ServicePart = z.infer<typeof part>;

const setting = z
  .strictObject({
    name: z.string().describe('Name of the setting'),
    value: z
      .string()
      .nullable()
      .describe('The value that is used; `null` for a secret, and for a limit in `wrangler.toml`'),
    source: z
      .enum(['set', 'default', 'profile', 'wrangler'])
      .describe(
        '`set` for a value of this deployment, `default`, `profile` for a default of `CONTRACT_PROFILE`, or `wrangler` for a limit in `wrangler.toml`',
      ),
    isSecret: z.boolean().describe('Whether the value is never returned'),
    isValid: z.boolean().describe('Whether the value is valid; if it is not, the default is used'),
    description: z.string().describe('What the setting does'),
  })
  .meta({ id: 'SettingInForce', description: 'A setting as it is used' });
export type SettingInForce = z.infer<typeof setting>;

export const systemSchema = z
  .strictObject({
    parts: z.array(part).describe('The parts of the service'),
    settings: z.array(setting).describe('The settings of the service'),
  })
  .meta({ id: 'SystemState', description: 'State and settings of the service' });
export type SystemState = z.infer<typeof systemSchema>;
