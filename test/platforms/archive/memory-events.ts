/** An event log in memory, which outlives the archives of a test. */
import type { PublishedEvent } from '../../../server/domain/events.ts';
import type { EventSink } from '../../../server/ports/event-sink.ts';
import type { StoreError } from '../../../server/ports/storage.ts';

export class MemoryEvents implements EventSink {
  checkpoint: number | undefined;
  failed: StoreError | undefined;
  readonly published: PublishedEvent[] = [];

  async publish(events: readonly PublishedEvent[]): Promise<void> {
    this.published.push(...events);
    this.checkpoint = events.at(-1)?.change ?? this.checkpoint;
  }
  async settle(): Promise<void> {}
  applied(): void {}
  async advanceCheckpoint(change: number): Promise<void> {
    this.checkpoint = change;
  }
}
