import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { parseJson } from '../../shared/json.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { sessionHash } from '../storage/recordNames.ts';
import type { RecordStore } from '../storage/recordStore.ts';
import { type WindowIdentity, windowIdentitySchema } from '../storage/windowIdentity.ts';

const subfolder = 'leases';
/** Heartbeats overwrite the file in place, so the counter has a fixed width. */
const beatDigits = 12;
/** The file `<session>-epoch-<n>`. All fields have existed since 0.1. */
const leaseSchema = z.object({
  /** A UUID that identifies one acquisition. */
  leaseId: z.string(),
  /** The holder. */
  window: windowIdentitySchema,
  /** The number of heartbeats so far, in 12 digits. */
  beat: z.string(),
});
/** The file `<session>-ask-<UUID>`. */
const requestSchema = z.object({
  /** The UUID of the outgoing message that the user stopped. Since 0.1. */
  cancelEntryId: z.optional(z.string()),
});

/** A lease that this window holds or has held. */
export interface HeldLease {
  readonly name: string;
  readonly leaseId: string;
  readonly epoch: number;
}

/** The newest lease of a session found on disk. */
export interface ObservedLease {
  readonly epoch: number;
  /** Changes with every heartbeat. */
  readonly signature: string;
  /** Undefined if the file can't be parsed, for example while it is being written. */
  readonly window: WindowIdentity | undefined;
}

/** A request to the window that holds the lease, to release it. */
export type ReleaseRequest = z.output<typeof requestSchema>;

/**
 * The lease of one session on disk (R35). A window acquires it by creating the file of the next epoch, which the file
 * system allows only one window to do, and then removes the files of all earlier epochs before it reads anything else.
 * A window that finds its own file in place therefore knows that a later owner will see everything written so far. All
 * methods that access files reject with the system's error.
 *
 * Both kinds of file are plain JSON in `leases/`; `<session>` is the hash of the session key.
 */
export class LeaseFiles {
  readonly #disk: RecordStore;
  readonly #window: WindowIdentity;
  readonly #prefix: string;
  /** The names of this window's own requests. If it becomes the holder meanwhile, it must not take them. */
  readonly #requested = new Set<string>();

  constructor(disk: RecordStore, window: WindowIdentity, key: SessionKey) {
    this.#disk = disk;
    this.#window = window;
    this.#prefix = `${subfolder}/${sessionHash(key)}`;
  }

  /** Whether a file in the lease folder belongs to this session. */
  isOwnFile(name: string): boolean {
    return name.startsWith(this.#prefix);
  }

  /** Whether a lease belongs to this window, for example because its release failed. */
  isOwnWindow({ windowId }: WindowIdentity): boolean {
    return windowId === this.#window.windowId;
  }

  /** The newest lease; undefined if no window holds one. */
  async current(): Promise<ObservedLease | undefined> {
    const epoch = await this.#newestEpoch();
    const text = epoch > 0 ? await this.#disk.readText(this.#name(epoch)) : undefined;
    if (text === undefined) return undefined;
    return { epoch, signature: `${epoch} ${text}`, window: parse(leaseSchema, text)?.window };
  }

  /** Replaces the observed lease, or creates the first one. Undefined if another window was faster. */
  async acquire(observed: ObservedLease | undefined): Promise<HeldLease | undefined> {
    const epoch = (observed?.epoch ?? 0) + 1;
    const lease = { name: this.#name(epoch), leaseId: randomUUID(), epoch };
    if (!(await this.#disk.create(lease.name, this.#text(lease, 0)))) return undefined;
    for (const older of await this.#epochs()) if (older < epoch) await this.#disk.remove(this.#name(older));
    return lease;
  }

  /** Whether a lease is still valid: no window replaced it, and its file is in place. */
  async isValid(lease: HeldLease): Promise<boolean> {
    if ((await this.#newestEpoch()) !== lease.epoch) return false;
    // Check this last, because a window that replaces the lease removes this file before it reads anything.
    return parse(leaseSchema, (await this.#disk.readText(lease.name)) ?? '')?.leaseId === lease.leaseId;
  }

  async writeHeartbeat(lease: HeldLease, count: number): Promise<void> {
    await this.#disk.overwrite(lease.name, this.#text(lease, count));
  }

  async release(lease: HeldLease): Promise<void> {
    if (await this.isValid(lease)) await this.#disk.remove(lease.name);
  }

  /** Asks the holder to release the lease as soon as nothing is in flight. Resolves to the name of the request. */
  async requestRelease(request: ReleaseRequest): Promise<string> {
    const name = `${this.#prefix}-ask-${randomUUID()}`;
    this.#requested.add(name);
    await this.#disk.create(name, JSON.stringify(request));
    return name;
  }

  /** Withdraws a request of this window. Does nothing if the holder has taken it. */
  async withdrawRequest(name: string): Promise<void> {
    await this.#disk.remove(name);
    this.#requested.delete(name);
  }

  /** Removes and returns the pending requests from other windows. */
  async takeRequests(): Promise<ReleaseRequest[]> {
    const requests: ReleaseRequest[] = [];
    for (const name of await this.#disk.names(subfolder)) {
      if (!name.startsWith(`${this.#prefix}-ask-`) || this.#requested.has(name)) continue;
      const request = parse(requestSchema, (await this.#disk.readText(name)) ?? '');
      if (!request) continue;
      await this.#disk.remove(name);
      requests.push(request);
    }
    return requests;
  }

  /** The highest epoch; 0 if there is none. */
  async #newestEpoch(): Promise<number> {
    return (await this.#epochs()).reduce((newest, epoch) => Math.max(newest, epoch), 0);
  }

  async #epochs(): Promise<number[]> {
    const start = `${this.#prefix}-epoch-`;
    const names = (await this.#disk.names(subfolder)).filter((name) => name.startsWith(start));
    return names.map((name) => Number(name.slice(start.length))).filter((epoch) => Number.isSafeInteger(epoch));
  }

  #name(epoch: number): string {
    return `${this.#prefix}-epoch-${epoch}`;
  }

  #text({ leaseId }: HeldLease, beat: number): string {
    return JSON.stringify({ leaseId, window: this.#window, beat: String(beat).padStart(beatDigits, '0') });
  }
}

function parse<T>(schema: z.ZodMiniType<T>, text: string): T | undefined {
  return schema.safeParse(parseJson(text)).data;
}
