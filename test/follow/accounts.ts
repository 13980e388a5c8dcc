/** The accounts of the platform in memory. */
import { parseTarget } from '../../server/config/targets.ts';

export const accounts = ['alice.example.com', 'bob.example.com', 'carol.example.com'] as const;
export const targets = accounts.map((account) => parseTarget(`bluesky:${account}`));
