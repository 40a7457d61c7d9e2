import type { PageComposer, PageDraft, PageOlder, PageReading, PageScreen } from '../../shared/protocol/pageModel.ts';
import {
  describeComposer,
  describeHeader,
  describeOlder,
  describeScreen,
} from '../../state/presentation/conversation.ts';
import type { HostMessage } from '../../shared/protocol/pageMessages.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import type { Translate } from '../../shared/text.ts';

/** A part of the page that is sent by itself once the page has its first state. */
export type PageSection = 'rows' | 'header' | 'older' | 'composer' | 'draft';

export interface PagePartsOptions {
  readonly store: Store;
  /** A sentence under the composer, for example why something was not attached. */
  readonly composerProblem: (key: SessionKey) => string | undefined;
  readonly isWhenIdle?: () => boolean;
  readonly t: Translate;
}

/** The parts of a page that are sent whole, and what was sent last of each, to send them only when they differ. */
export class PageSections {
  readonly #options: PagePartsOptions;
  readonly #sent = new Map<string, string>();
  #draftRevision: number | undefined;

  constructor(options: PagePartsOptions) {
    this.#options = options;
  }

  /** Nothing of them is on the page any more. */
  clear(): void {
    this.#sent.clear();
  }

  /** Whether a part differs from what the page has of it; it has it from now on. */
  differs(part: string, value: unknown): boolean {
    const text = JSON.stringify(value);
    if (this.#sent.get(part) === text) return false;
    this.#sent.set(part, text);
    return true;
  }

  /** All of them but the draft, for a page that has none; it has them from now on. */
  whole(record: SessionRecord, reading: PageReading) {
    const parts = {
      header: this.#header(record, reading),
      older: this.#older(record),
      composer: this.#composer(record),
    };
    for (const [name, value] of Object.entries(parts)) this.differs(name, value);
    return parts;
  }

  /**
   * One of those that are said to have changed, where it differs; what was looked at is taken out of the set. How it
   * is read is asked only for the header: to know it takes a look at every message.
   */
  changed(changed: Set<PageSection>, record: SessionRecord, readingOf: () => PageReading): HostMessage | undefined {
    if (changed.delete('header')) {
      const header = this.#header(record, readingOf());
      if (this.differs('header', header)) return { type: 'header', header };
    }
    if (changed.delete('older')) {
      const older = this.#older(record);
      if (this.differs('older', older)) return { type: 'older', older };
    }
    if (changed.delete('draft')) return { type: 'draft', draft: this.draft(record) };
    if (changed.delete('composer')) {
      const composer = this.#composer(record);
      if (this.differs('composer', composer)) return { type: 'composer', composer };
    }
    return undefined;
  }

  screen(key: SessionKey | undefined): PageScreen {
    const { store, t } = this.#options;
    return describeScreen(store.connection, store.records.length, t, key?.origin);
  }

  /** What the page told of its draft, up to this, is in the store. */
  tookDraft(revision: number): void {
    this.#draftRevision = Math.max(revision, this.#draftRevision ?? 0);
  }

  draft({ draft: { text, selectionStart, selectionEnd } }: SessionRecord): PageDraft {
    const revision = this.#draftRevision;
    return { text, selectionStart, selectionEnd, ...(revision === undefined ? {} : { revision }) };
  }

  #header(record: SessionRecord, reading: PageReading) {
    const { store, t } = this.#options;
    return { ...describeHeader(record, store.connection, t), reading };
  }

  #older(record: SessionRecord): PageOlder {
    const { store, t } = this.#options;
    return describeOlder(record, store.connection, t);
  }

  #composer(record: SessionRecord): PageComposer {
    const { store, composerProblem: problem, isWhenIdle, t } = this.#options;
    return describeComposer(record, store.connection, problem(record.listEntry.key), t, isWhenIdle?.());
  }
}
