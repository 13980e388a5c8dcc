/** The pages benchmark: from the start of a navigation until a page can be used and shows its data, in Chromium. */
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launch, present } from '../../test/support/chromium.ts';
import { startServer, temporaryFolder } from '../../test/support/server.ts';
import { ourselves, type Outcome, type Row } from './report/result.ts';
import { markdownTable, median, milliseconds } from './table.ts';

const key = 'sd_bench0001_QmVhbnNUb21hdG9lc09uaW9ucw';
const tweetId = '1890000000000000001';

/** The pages: their paths, the main control, and the first data. A page is ready when both are there. */
const pages: readonly (readonly [path: string, control: string, data: string])[] = [
  ['/', '#key-open', '.answer .code'],
  ['/explore?q=filter%3Amedia', '.search-form input', '.media-grid'],
  ['/u/mira_codes', '.tabs a', '.tweet-card'],
  [`/t/${tweetId}`, '.tabs a', '.tweet-main'],
  ['/c/1700000000000000001', '.request-line summary', '.tweet-card'],
  ['/s/1vSampleSpace1', '.request-line summary', '.tweet-card, .user-row, .person'],
  [`/ask?tweet=${tweetId}`, '.ask-field textarea', '.gauge'],
  ['/live', '#key-open', '.card'],
  ['/docs/', '.contents a', '.sample button, .code'],
  ['/docs/try', '.authorize', '.opblock'],
  ['/docs/events', '.contents a', 'table'],
  ['/docs/search', 'a[href]', 'table'],
  ['/docs/operations', '.contents a', 'table'],
];

/** Resolves with the milliseconds since the start of the navigation when both selectors match and a frame was drawn. */
const readyScript = (control: string, data: string): string => `new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error(location.pathname + ' is not ready after 60 s')), 60_000);
  const look = () => {
    const isThere = [${JSON.stringify(control)}, ${JSON.stringify(data)}].every((each) => document.querySelector(each));
    if (isThere) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    else requestAnimationFrame(look);
  };
  look();
})`;

interface Figures {
  /** Milliseconds from the start of the navigation, by the clock. */
  readonly ready: number;
  /** Milliseconds of processor time of the main thread. */
  readonly cpu: number;
  /** Bytes over the network. */
  readonly bytes: number;
}

interface Metrics {
  readonly metrics: readonly { readonly name: string; readonly value: number }[];
}

/** Opens a page and measures it. */
async function measure(page: Page, url: string, control: string, data: string): Promise<Figures> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));
  await session.send('Network.enable');
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(url, { waitUntil: 'commit' });
  const ready = await page.evaluate<number>(readyScript(control, data));
  const { metrics } = (await session.send('Performance.getMetrics')) as Metrics;
  const cpu = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  await session.detach();
  return { ready, cpu: cpu * 1000, bytes };
}

async function openTab(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 }, reducedMotion: 'reduce' });
  await context.addInitScript(`sessionStorage.setItem('social-data.key', ${JSON.stringify(key)})`);
  return context;
}

/** Measures each page in a browser without a cache, and again with the files that the first visit left in the cache. */
async function measurePages(browser: Browser, base: string): Promise<(readonly [first: Figures, again: Figures])[]> {
  const figures: (readonly [Figures, Figures])[] = [];
  for (const [path, control, data] of pages) {
    const context = await openTab(browser);
    const first = await measure(await context.newPage(), base + path, control, data);
    const again = await measure(await context.newPage(), base + path, control, data);
    await context.close();
    figures.push([first, again]);
  }
  return figures;
}

type PageRound = Awaited<ReturnType<typeof measurePages>>;

function rowsOf(rounds: readonly PageRound[]): Row[] {
  return pages.flatMap(([path], page) => {
    const row = (what: string, unit: string, visit: 0 | 1, figure: keyof Figures, scale = 1): Row => ({
      ...{ metric: `${path}, ${what}`, subject: ourselves, unit, better: 'lower' },
      values: rounds.map((round) => (round[page]?.[visit][figure] ?? Number.NaN) / scale),
    });
    return [
      row('first visit', 'ms', 0, 'ready'),
      row('first visit, main thread', 'ms CPU', 0, 'cpu'),
      row('first visit, transferred', 'kB', 0, 'bytes', 1000),
      row('next visit, main thread', 'ms CPU', 1, 'cpu'),
    ];
  });
}

/** Measures and prints a table. Needs Chromium. */
export async function benchPages(rounds: number): Promise<Outcome> {
  if (!present) {
    console.log('\nPages: there is no Chromium on this machine');
    return { rows: [] };
  }
  const folder = await temporaryFolder();
  const server = await startServer(join(folder.path, 'data'), { API_KEYS: key, RATE_LIMIT: 'off' }, ['--replay=5']);
  const browser = await launch();
  try {
    await measurePages(browser, server.url);
    const all: PageRound[] = [];
    for (let round = 0; round < rounds; round++) all.push(await measurePages(browser, server.url));
    const of = (page: number, visit: 0 | 1, name: keyof Figures): number =>
      median(all.map((round) => round[page]?.[visit][name] ?? Number.NaN));
    const rows = pages.map(([path], page) => ({
      'page, medians of the rounds': path,
      'first visit, ms': milliseconds(of(page, 0, 'ready')),
      'of it processor, ms': milliseconds(of(page, 0, 'cpu')),
      kB: (of(page, 0, 'bytes') / 1000).toFixed(0),
      'next visit, ms': milliseconds(of(page, 1, 'ready')),
      'processor, ms': milliseconds(of(page, 1, 'cpu')),
    }));
    console.log(
      `\nPages: from the navigation to the main control and the first data, ${rounds} rounds\n\n${markdownTable(rows)}`,
    );
    return { rows: rowsOf(all), details: { rounds, pages, all } };
  } finally {
    await browser.close();
    await server.end('SIGKILL');
    await folder.dispose();
  }
}
