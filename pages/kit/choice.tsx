/** A choice of one of several values. */
import type { VNode } from 'preact';

/** Buttons of which one is pressed. */
export function Choice<Name extends string>(props: {
  name: string;
  values: readonly Name[];
  value: Name;
  choose: (value: Name) => void;
}): VNode {
  const { name, values, value, choose } = props;
  return (
    <div class="choice" role="group" aria-label={name}>
      {values.map((each) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => choose(each)}>
          {each}
        </button>
      ))}
    </div>
  );
}
