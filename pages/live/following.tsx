/** The line about the live platforms that the service follows. */
import { root, useEffect, useState, type VNode } from '../kit/index.ts';
import { followingText, type FollowedSource } from './following-text.ts';

/** The time between two requests, in milliseconds. */
const everyMs = 5000;

export function Following(): VNode | null {
  const [text, setText] = useState('');
  useEffect(() => {
    const update = async (): Promise<void> => {
      if (document.hidden) return;
      try {
        const response = await fetch(`${root}live/following`);
        const { following } = (await response.json()) as { following: FollowedSource[] };
        setText(followingText(following));
      } catch {
        // The status line of the page shows a lost connection.
        setText('');
      }
    };
    void update();
    const timer = setInterval(() => void update(), everyMs);
    return () => clearInterval(timer);
  }, []);
  return text === '' ? null : (
    <p id="following" class="hint">
      {text}
    </p>
  );
}
