/** Tabs whose choice is in the address, so that each can be linked. */
import type { VNode } from 'preact';

export const chosenTab = <Name extends string>(names: readonly Name[]): Name | undefined =>
  names.find((name) => name === new URLSearchParams(location.search).get('tab')) ?? names[0];

export const Tabs = ({
  name,
  tabs,
  current,
}: {
  name: string;
  tabs: readonly string[];
  current: string | undefined;
}): VNode => (
  <nav class="tabs" aria-label={name}>
    {tabs.map((tab, index) => (
      <a
        key={tab}
        href={index === 0 ? location.pathname : `?tab=${encodeURIComponent(tab)}`}
        aria-current={tab === current ? 'page' : undefined}
      >
        {tab}
      </a>
    ))}
  </nav>
);
