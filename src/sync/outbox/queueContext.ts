import type { SessionsApi } from '../../api/sessionsApi.ts';
import type { Log } from '../../shared/log.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Blobs } from '../storage/blobStore.ts';
import type { Clock } from '../storage/clock.ts';
import type { OutboxFiles, StoredEntry } from './outboxFiles.ts';
import type { ServiceClocks, ServicePauses } from '../polling/serviceLimits.ts';
import type { Lease, LeaseEvents } from '../lease/sessionLease.ts';

/** What sending learned of a service; shared by all its sessions, gone with the window. */
export interface ServiceSendState {
  /** Nothing is sent before, Unix ms: the service asked for a pause. */
  notBefore: number;
  /** Nothing is sent until the connection is ready again (R12). */
  isKeyRefused: boolean;
}

/** What the queues of all sessions share. */
export interface QueueContext {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly files: OutboxFiles;
  readonly clock: Clock;
  readonly log: Log;
  /** The client for a service, absent while it may not be talked to. */
  readonly apiFor: (origin: string) => SessionsApi | undefined;
  readonly factsOf: (origin: string) => ServiceSendState;
  readonly clocks: ServiceClocks;
  /** The pauses that all windows share. */
  readonly pauses?: ServicePauses | undefined;
  /** Something changed in a lane: those who wait for an outcome look again. */
  readonly announce: () => void;
  readonly openLease: (key: SessionKey, events: LeaseEvents) => Lease;
  /** Reads every entry on disk again and tells the queues. Rejects with the system's error. */
  readonly refold: () => Promise<void>;
  /** Whether a message was typed in another window that may still run. */
  readonly isOthers: (entry: StoredEntry) => boolean;
  /** The service has a message, by its own word or because it was found. */
  readonly onAccepted: (entry: StoredEntry) => void;
  /** A message is through: its file goes, and its bytes. Never rejects. */
  readonly finish: (entry: StoredEntry) => Promise<void>;
  /** Whether messages wait while the agent is at work, unless the person chose otherwise for one. */
  readonly isWhenIdle: () => boolean;
}
