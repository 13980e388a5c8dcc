/** Chromium, or Chrome, where the machine has it. Chromium without a separate window needs half of the CPU time. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const executables = ['chromium-headless-shell', 'chromium', 'google-chrome'].map((name) => `/usr/bin/${name}`);
const executablePath = executables.find((path) => existsSync(path)) ?? '';
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const present = executablePath !== '';
export const launch = (): Promise<Browser> => chromium.launch({ executablePath, args });
