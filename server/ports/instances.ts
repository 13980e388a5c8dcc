/** The port to the other processes that share the storage. */

export interface Instances {
  /** Whether this process performs the tasks that one process at a time performs. It may change at any time. */
  readonly isLeader: boolean;
  /** The number of other processes that are alive, as of about a second ago. */
  readonly others: number;
  /** The open WebSocket connections of a key in the other processes, as of about a second ago. */
  connectionsElsewhere(keyId: string): number;
}

/** The only process of its storage. */
export const soleInstance: Instances = { isLeader: true, others: 0, connectionsElsewhere: () => 0 };
