// The Worker's entry: what the platform calls.

import { createApp } from './app.ts';

export default createApp();
