// Prints by how many bytes the heap grew over requests that differ in their Content-Type only. Run with --expose-gc.
import { key, startService } from '../support/service.ts';

const service = await startService({ rateLimit: 'off' });
async function round(from: number): Promise<void> {
  for (let n = from; n < from + 150; n += 1) {
    await (await service.request('/social/space/detail?id=a', { headers: { 'content-type': `text/x-${n}` } })).text();
    const headers = { 'x-api-key': key, 'content-type': `application/json; v=${n}` };
    await (await service.bare('/social/tweet/unlike', { method: 'POST', body: '{"tweet_id":"1"}', headers })).text();
    await (
      await service.request('/social/tweet/unlike', {
        method: 'POST',
        body: 'x',
        headers: { 'content-type': `text/y-${n}` },
      })
    ).text();
  }
  service.log.length = 0;
}
const heap = (): number => (globalThis.gc!(), process.memoryUsage().heapUsed);
await round(0);
const before = heap();
await round(300);
console.log(heap() - before);
await service.stop(0);
