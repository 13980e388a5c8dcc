/** What an operator sees first: a form for the key, until there is a session. */
import { root, useEffect, useState, type ComponentChildren, type VNode } from '../kit/frame.ts';
import { call, signIn, type OperateError } from './api.ts';

const reasons: Readonly<Record<number, string>> = {
  401: 'The service does not know this key.',
  403: 'This key is for data, not for operators. Use one with the scope admin.',
  404: 'This service has no operator interface.',
  429: 'Too many attempts. Wait a minute.',
};

function SignIn({ onDone }: { onDone: (key: string) => void }): VNode {
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const key = String(new FormData(form).get('operator') ?? '').trim();
    if (key === '' || !/^[!-~]+$/.test(key)) return setReason('Type or paste the key of an operator.');
    setBusy(true);
    signIn(key)
      .then(({ key: id }) => onDone(id))
      .catch((error: OperateError) => setReason(reasons[error.status] ?? `${error.message}.`))
      .finally(() => setBusy(false));
  };
  return (
    <form class="panel sign-in" onSubmit={submit} autocomplete="off">
      <h2>Sign in as an operator</h2>
      <p class="hint">
        An operator signs in with a key for this page. The first <code>npm start</code> prints one, and{' '}
        <code>npm run keys -- create --name me --scopes admin</code> makes another. The session ends after 8 hours, with
        the key, and with a restart of the service.
      </p>
      <label for="operator">Operator key</label>
      <div class="row">
        <input
          id="operator"
          name="operator"
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="sd_…"
          aria-invalid={reason !== ''}
          aria-describedby="operator-reason"
        />
        <button type="submit" class="primary" disabled={isBusy}>
          Sign in
        </button>
      </div>
      <p id="operator-reason" class="reason" role="alert">
        {reason}
      </p>
    </form>
  );
}

/** The page with its title, behind the sign-in. `children` is drawn only in a session. */
export function Session({
  title,
  lead,
  links,
  children,
}: {
  title: string;
  lead: string;
  links: readonly (readonly [path: string, words: string])[];
  children: ComponentChildren;
}): VNode {
  const [key, setKey] = useState<string | undefined>(undefined);
  const [isKnown, setKnown] = useState(false);
  useEffect(() => {
    call<{ key: string | null }>('GET', '/session').then(
      (session) => {
        setKey(session.key ?? undefined);
        setKnown(true);
      },
      () => setKnown(true),
    );
  }, []);
  const signOut = (): void => void call('DELETE', '/session').finally(() => setKey(undefined));
  return (
    <>
      <div class="row spread operate-head">
        <div>
          <h1>{title}</h1>
          <p class="lead">{lead}</p>
        </div>
        <nav class="row" aria-label="Operator">
          {links.map(([path, words]) => (
            <a key={path} class="button" href={root + path}>
              {words}
            </a>
          ))}
          {key !== undefined && (
            <button type="button" onClick={signOut} title={`Key ${key}`}>
              Sign out
            </button>
          )}
        </nav>
      </div>
      {key !== undefined ? children : isKnown ? <SignIn onDone={setKey} /> : <p role="status">Loading …</p>}
    </>
  );
}
