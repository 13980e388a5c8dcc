/** Chromium, where the machine has it. */
import { existsSync } from 'node:fs';
import { test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';
const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export const present = existsSync(executablePath);
/** A test that is skipped where there is no Chromium. */
export const inBrowser = present ? test : test.skip;

export const launch = (): Promise<Browser> => chromium.launch({ executablePath, args });

/** What a page complains of, and the origins that it asks for anything. */
export function watch(page: Page): { complaints: string[]; hosts: Set<string> } {
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('request', (request) => void (request.url().startsWith('data:') || hosts.add(new URL(request.url()).origin)));
  return { complaints, hosts };
}
