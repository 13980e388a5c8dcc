import { LocalRateLimiter } from '../../server/keys/rate-limiter.ts';
import { describeRateLimiter } from './rate-limiter.ts';
import { SharedBuckets, SharedRateLimiter } from './reference/shared-rate-limiter.ts';

describeRateLimiter('the limiter of one process', async (limit) => [new LocalRateLimiter(limit)]);
describeRateLimiter('the reference adapter with shared buckets', async (limit) => {
  const buckets = new SharedBuckets();
  return [new SharedRateLimiter(buckets, limit), new SharedRateLimiter(buckets, limit)];
});
