/** The line about the live platforms that the service follows. */
import { part } from '../../browser/element.ts';
import { followingText, type FollowedSource } from './following-text.ts';

const line = part('following');
/** The time between two requests, in milliseconds. */
const everyMs = 5000;

async function update(): Promise<void> {
  if (document.hidden) return;
  try {
    const response = await fetch('./live/following');
    const { following } = (await response.json()) as { following: FollowedSource[] };
    line.textContent = followingText(following);
  } catch {
    // The status line of the page shows a lost connection.
    line.textContent = '';
  }
  line.hidden = line.textContent === '';
}

/** Shows the line, and keeps it current. */
export function showFollowing(): void {
  void update();
  setInterval(() => void update(), everyMs);
}
