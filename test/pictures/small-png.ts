// Pictures for documents as small files: at most 256 colours, chosen by pngquant.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';

/** Write a picture. @throws Error where pngquant is not installed */
export function writeSmallPng(path: string, picture: PNG): void {
  const whole = PNG.sync.write(picture, { colorType: 2 });
  writeFileSync(path, execFileSync('pngquant', ['--speed', '1', '--strip', '-'], { input: whole }));
}
