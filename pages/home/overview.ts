/** What the service says about itself without a key. */
import { root } from '../kit/index.ts';

export interface Followed {
  readonly following: string;
  readonly connected: boolean;
  readonly lag_seconds: number | null;
}

export interface Overview {
  readonly objects: Readonly<Partial<Record<'tweets' | 'users' | 'communities' | 'spaces', number>>>;
  readonly changes: number | undefined;
  readonly followed: readonly Followed[];
  /** When it was read, in milliseconds. */
  readonly at: number;
}

async function read<Body>(path: string): Promise<Body> {
  const response = await fetch(root + path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Body;
}

export async function readOverview(): Promise<Overview> {
  const [numbers, { following }] = await Promise.all([
    read<Pick<Overview, 'objects' | 'changes'>>('live/overview'),
    read<{ following: readonly Followed[] }>('live/following'),
  ]);
  return { ...numbers, followed: following, at: performance.now() };
}
