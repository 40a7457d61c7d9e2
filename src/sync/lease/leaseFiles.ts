import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { RecordStore } from '../storage/recordStore.ts';
import { sessionHash } from '../storage/recordNames.ts';
import { type WindowIdentity, windowIdentitySchema } from '../storage/windowIdentity.ts';

const subfolder = 'leases';
/** Beats are written in place, so they are all of one length. */
const beatDigits = 12;
const holderSchema = z.object({ leaseId: z.string(), window: windowIdentitySchema, beat: z.string() });
const askSchema = z.object({ cancelEntryId: z.optional(z.string()) });

/** A lease that this window took. */
export interface TakenLease {
  readonly name: string;
  readonly leaseId: string;
  readonly epoch: number;
}

/** The newest lease of a session as it lies on disk. */
export interface SeenLease {
  readonly epoch: number;
  /** Changes with every sign of life. */
  readonly sign: string;
  /** Absent where it is just being written. */
  readonly window: WindowIdentity | undefined;
}

/** What another window asks of the holder of a lease. */
export type LeaseAsk = z.output<typeof askSchema>;

/**
 * The lease of one session on disk (R35): a file whose name carries the epoch. To take it is to make the file of the
 * next epoch, which the system lets only one window do; then all earlier ones are removed, before anything else is read.
 * So a window that finds its own file in place knows that whoever takes over later will see all it has written by then.
 */
export class LeaseFiles {
  readonly #disk: RecordStore;
  readonly #window: WindowIdentity;
  readonly #prefix: string;

  constructor(disk: RecordStore, window: WindowIdentity, key: SessionKey) {
    this.#disk = disk;
    this.#window = window;
    this.#prefix = `${subfolder}/${sessionHash(key)}`;
  }

  /** Whether a file in the folder of leases is about this session. */
  isAbout(name: string): boolean {
    return name.startsWith(this.#prefix);
  }

  /** Whether a lease is one that this very window took, and lost count of. */
  isOwn({ windowId }: WindowIdentity): boolean {
    return windowId === this.#window.windowId;
  }

  /** The newest lease; undefined while nobody has one. */
  async current(): Promise<SeenLease | undefined> {
    const epoch = Math.max(0, ...(await this.#epochs()));
    const text = epoch > 0 ? await this.#disk.readText(this.#name(epoch)) : undefined;
    if (text === undefined) return undefined;
    return { epoch, sign: `${epoch} ${text}`, window: parse(holderSchema, text)?.window };
  }

  /** Takes over from the lease seen, or from nobody. Undefined when another window was faster. */
  async take(seen: SeenLease | undefined): Promise<TakenLease | undefined> {
    const epoch = (seen?.epoch ?? 0) + 1;
    const lease = { name: this.#name(epoch), leaseId: randomUUID(), epoch };
    if (!(await this.#disk.create(lease.name, this.#text(lease, 0)))) return undefined;
    for (const older of await this.#epochs()) if (older < epoch) await this.#disk.remove(this.#name(older));
    return lease;
  }

  /** Whether a lease still stands: nobody took over, and its file was not removed. */
  async isStanding(lease: TakenLease): Promise<boolean> {
    if (Math.max(0, ...(await this.#epochs())) !== lease.epoch) return false;
    // Last, as its file goes before the window that takes over reads anything.
    return parse(holderSchema, (await this.#disk.readText(lease.name)) ?? '')?.leaseId === lease.leaseId;
  }

  /** Gives a sign of life. */
  async beat(lease: TakenLease, count: number): Promise<void> {
    await this.#disk.overwrite(lease.name, this.#text(lease, count));
  }

  async release(lease: TakenLease): Promise<void> {
    if (await this.isStanding(lease)) await this.#disk.remove(lease.name);
  }

  /** Asks whoever holds the lease to let go of it as soon as nothing is on its way. @returns the ask's name. */
  async ask(ask: LeaseAsk): Promise<string> {
    const name = `${this.#prefix}-ask-${randomUUID()}`;
    await this.#disk.create(name, JSON.stringify(ask));
    return name;
  }

  /** Takes back an ask. */
  async withdraw(askName: string): Promise<void> {
    await this.#disk.remove(askName);
  }

  /** What others ask for; each ask is handed out once. */
  async takeAsks(): Promise<LeaseAsk[]> {
    const asks: LeaseAsk[] = [];
    for (const name of await this.#disk.names(subfolder)) {
      if (!name.startsWith(`${this.#prefix}-ask-`)) continue;
      const ask = parse(askSchema, (await this.#disk.readText(name)) ?? '');
      if (!ask) continue;
      await this.#disk.remove(name);
      asks.push(ask);
    }
    return asks;
  }

  async #epochs(): Promise<number[]> {
    const start = `${this.#prefix}-epoch-`;
    const names = (await this.#disk.names(subfolder)).filter((name) => name.startsWith(start));
    return names.map((name) => Number(name.slice(start.length))).filter((epoch) => Number.isSafeInteger(epoch));
  }

  #name(epoch: number): string {
    return `${this.#prefix}-epoch-${epoch}`;
  }

  #text({ leaseId }: TakenLease, beat: number): string {
    return JSON.stringify({ leaseId, window: this.#window, beat: String(beat).padStart(beatDigits, '0') });
  }
}

function parse<T>(schema: z.ZodMiniType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
