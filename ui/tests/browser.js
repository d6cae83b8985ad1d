// Chromium for browser checks and screenshots: Debian's, or the one that CHROMIUM names.
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--font-render-hinting=none'];

export async function openBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: FLAGS, env: { ...process.env, FONTCONFIG_FILE: fileURLToPath(new URL('./fonts.conf', import.meta.url)) } });
}

export const DESKTOP = { width: 1360, height: 860 };
export const PHONE = { width: 390, height: 844 };
