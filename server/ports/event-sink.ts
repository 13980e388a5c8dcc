/** The port that receives the domain events of durable changes. */
import type { PublishedEvent } from '../domain/events.ts';
import type { StoreError } from './storage.ts';

export interface EventSink {
  /**
   * The last change whose events are published; undefined before the first checkpoint: existing changes then publish
   * nothing.
   */
  readonly checkpoint: number | undefined;
  /** Why the sink cannot publish now. The archive then rejects changes. */
  readonly failed: StoreError | undefined;
  /**
   * Publishes events, oldest first. Resolves when the sink accepts the next events; never rejects. `isOwn`: false for the
   * events of changes that another process made and publishes; they are published only if that process does not do it.
   */
  publish(events: readonly PublishedEvent[], isOwn?: boolean): Promise<void>;
  /**
   * Resolves when the published events are durable themselves, or cannot be written now (`failed`); never rejects. Until then, a
   * start needs the changes in the journal of the archive to publish the events again.
   */
  settle(): Promise<void>;
  /** The archive of this process has applied all changes up to this one: readers may get their events. */
  applied(change: number): void;
  /** Moves the checkpoint to this change without publishing. Throws StoreError. */
  advanceCheckpoint(change: number): Promise<void>;
}
