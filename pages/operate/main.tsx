/** The operator's page: the state of the service, and what an operator does with it. */
import { Loading, mount, setTitle, useEffect, type VNode } from '../kit/frame.ts';
import type { Overview } from '../../server/operate/overview.ts';
import { Accounts } from './accounts.tsx';
import { usePolled } from './api.ts';
import { Follow } from './follow.tsx';
import { Keys } from './keys.tsx';
import { Audit, Backups, Erase } from './maintenance.tsx';
import { Reason, sentence } from './parts.tsx';
import { Session } from './session.tsx';
import { State } from './state.tsx';
import { Webhooks } from './webhooks.tsx';

/** How often the state is read again, in milliseconds. */
const everyMs = 5_000;

function Console(): VNode {
  const { data, error } = usePolled<Overview>('/overview', everyMs);
  return (
    <>
      <Reason
        text={
          error === undefined
            ? ''
            : `${sentence(error.message)}${data === undefined ? '' : ' What follows was read before that.'}`
        }
      />
      {data === undefined ? <Loading /> : <State state={data} isOld={error !== undefined} />}
      <Follow />
      <Accounts />
      <Keys />
      <Webhooks />
      <div class="operate-halves">
        <Backups />
        <Erase />
      </div>
      <Audit />
    </>
  );
}

function Operate(): VNode {
  useEffect(() => setTitle('Operate'), []);
  return (
    <Session
      title="Operate"
      lead="The state of this service, its keys and its data."
      links={[
        ['import', 'Import'],
        ['docs/operations', 'Guide'],
      ]}
    >
      <Console />
    </Session>
  );
}

mount(Operate);
