/** Buttons above a list, of which each opens a panel. */
import { useState, type VNode } from '../kit/frame.ts';

export interface Disclosure {
  readonly name: string;
  /** Draws the panel; it is drawn only while it is open. */
  readonly draw: () => VNode;
}

/** At most one panel is open. */
export function Disclosures({ all, children }: { all: readonly Disclosure[]; children?: VNode }): VNode {
  const [open, setOpen] = useState<string | undefined>(undefined);
  const shown = all.find(({ name }) => name === open);
  return (
    <>
      <div class="row disclosures">
        {all.map(({ name }) => (
          <button
            key={name}
            type="button"
            class="small"
            aria-expanded={name === open}
            onClick={() => setOpen(name === open ? undefined : name)}
          >
            {name}
          </button>
        ))}
        {children}
      </div>
      {shown !== undefined && (
        <section class="panel" aria-label={shown.name} key={shown.name}>
          {shown.draw()}
        </section>
      )}
    </>
  );
}
