/** Measures one client: `caller.ts NAME import`, or `caller.ts NAME URL CALLS CONCURRENCY REQUEST`. Prints one line of JSON. */
import { clientNamed, requestNamed } from './callers.ts';

const [name = '', url = '', calls = '', concurrency = '', request = ''] = process.argv.slice(2);
const { module, caller } = clientNamed(name);

const startedAt = performance.now();
const loaded: unknown = module === undefined ? undefined : await import(module);
const importMs = performance.now() - startedAt;

if (url === 'import') console.log(JSON.stringify({ importMs }));
else {
  const call = caller(loaded as never, url, requestNamed(request));
  const run = async (count: number): Promise<void> => {
    let remaining = count;
    await Promise.all(
      Array.from({ length: Number(concurrency) }, async () => {
        while (remaining-- > 0) await call();
      }),
    );
  };
  await run(Number(calls) / 4);
  const cpu = process.cpuUsage();
  const from = performance.now();
  await run(Number(calls));
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    JSON.stringify({
      cpuMicros: (user + system) / Number(calls),
      perSecond: (Number(calls) / (performance.now() - from)) * 1000,
    }),
  );
}
