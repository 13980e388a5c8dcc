/** The import page: drop files, see their upload and import, and read the reports. */
import { mount, setTitle, useEffect, useRef, useState, type VNode } from '../kit/frame.ts';
import type { UploadView } from '../../server/operate/uploads.ts';
import { call, usePolled, type OperateError } from '../operate/api.ts';
import { Session } from '../operate/session.tsx';
import { Job } from './job.tsx';
import { upload } from './upload.ts';

/** How often the states of imports are read, in milliseconds. */
const everyMs = 1_000;
const accepted = '.zip,.gz,.js,.json,.jsonl,.ndjson,.har,.car';

function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }): VNode {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    onFiles([...(event.dataTransfer?.files ?? [])]);
  };
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label for="files">
        <b>Drop files here, or choose them</b>
      </label>
      <input
        id="files"
        type="file"
        multiple
        accept={accepted}
        aria-describedby="files-hint"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      <p id="files-hint" class="hint">
        The zip archive of X as it is, or its <code>tweets.js</code>; X API v2 responses, Twitter v1.1 statuses, answers
        of the web pages of X (also HAR files), answers of the API of Bluesky and native JSON Lines, plain or gzip; a
        repository of Bluesky (<code>.car</code>); the zip file of Mastodon, or its
        <code>outbox.json</code>.
      </p>
    </div>
  );
}

/** The uploads of this page by id: their newest state, why one has stopped, and what stops it. */
type Own = ReadonlyMap<string, { readonly view: UploadView; readonly fault: string; readonly stop: AbortController }>;

function Imports(): VNode {
  const { data, reload } = usePolled<{ imports: readonly UploadView[] }>('/imports', everyMs);
  const [own, setOwn] = useState<Own>(new Map());
  const [restores, setRestores] = useState(false);
  const [fault, setFault] = useState('');
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const add = (files: readonly File[]): void => {
    setFault('');
    for (const file of files) {
      let id: string | undefined;
      const stop = new AbortController();
      const note = (view: UploadView, reason: string): void => {
        id = view.id;
        setOwn((before) => new Map(before).set(view.id, { view, fault: reason, stop }));
      };
      const signal = AbortSignal.any([leaving.current.signal, stop.signal]);
      upload(file, restores, (view) => note(view, ''), signal).catch((error: OperateError) => {
        if (signal.aborted) return;
        const reason = `${error.message}. Choose the file again to continue.`;
        setOwn((before) => {
          const known = id === undefined ? undefined : before.get(id);
          return id === undefined || known === undefined
            ? before
            : new Map(before).set(id, { ...known, fault: reason });
        });
        if (id === undefined) setFault(`${file.name}: ${error.message}`);
      });
    }
  };
  const cancel = (id: string): void => {
    own.get(id)?.stop.abort();
    setOwn((before) => new Map([...before].filter(([each]) => each !== id)));
    call('DELETE', `/imports/${id}`).then(reload, (error: OperateError) => setFault(error.message));
  };
  // What the service says is newer than the last step of the upload, except while parts are sent.
  const views = new Map([...own].map(([id, { view }]) => [id, view]));
  for (const view of data?.imports ?? [])
    if (view.state !== 'uploading' || !views.has(view.id)) views.set(view.id, view);
  return (
    <>
      <DropZone onFiles={add} />
      <label class="check">
        <input type="checkbox" checked={restores} onChange={(event) => setRestores(event.currentTarget.checked)} />
        Bring back what was deleted here before
      </label>
      <p class="reason" role="alert">
        {fault}
      </p>
      {[...views.values()].map((view) => (
        <Job key={view.id} view={view} fault={own.get(view.id)?.fault ?? ''} onCancel={() => cancel(view.id)} />
      ))}
    </>
  );
}

function Import(): VNode {
  useEffect(() => setTitle('Import'), []);
  return (
    <Session
      title="Import"
      lead="Take files into the archive. The same file twice changes nothing."
      links={[['operate', 'Operate']]}
    >
      <Imports />
    </Session>
  );
}

mount(Import);
