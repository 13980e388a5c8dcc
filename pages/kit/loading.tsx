/** What a reader sees instead of data: nothing found, still loading. */
import type { ComponentChildren, VNode } from 'preact';

export const Nothing = ({ title, children }: { title: string; children?: ComponentChildren }): VNode => (
  <div class="nothing">
    <p class="nothing-title">{title}</p>
    {children}
  </div>
);

/** Grey shapes where tweets or other rows will be. */
export const Loading = ({ rows = 3, name = 'Loading' }: { rows?: number; name?: string }): VNode => (
  <div class="loading" role="status">
    <span class="sr">{name} …</span>
    {Array.from({ length: rows }, (_, index) => (
      <div class="ghost" key={index} aria-hidden="true">
        <span class="ghost-face" />
        <span class="ghost-line short" />
        <span class="ghost-line" />
        <span class="ghost-line" />
      </div>
    ))}
  </div>
);
