import {
  describeSession,
  describeSessionTooltip,
  type SessionDescription,
  sessionFlags,
} from '../../state/presentation/describeSession.ts';
import type { SessionRow } from '../../state/sessions/sessionTree.ts';
import { childSessionIds } from '../../state/store/sessionRecord.ts';
import type { ViewServices } from '../viewServices.ts';
import type { AgeClock } from './ageClock.ts';

/** The content of a session's row. */
interface SessionDrawing {
  readonly description: SessionDescription;
  /** The `contextValue` for `when` clauses. */
  readonly flags: string;
  readonly childIds: readonly string[];
}

/** What VS Code shows of the rows of sessions, so that only those that changed are drawn again. */
export class SessionDrawings {
  readonly #services: Pick<ViewServices, 'store' | 'treeOptions' | 't'>;
  readonly #ages: AgeClock;
  /** The last drawn content of each row, as JSON, by row ID. */
  readonly #drawn = new Map<string, string>();
  /** The tooltips that VS Code has asked for since their rows were drawn, by row ID. */
  readonly #tooltips = new Map<string, string>();

  constructor(services: Pick<ViewServices, 'store' | 'treeOptions' | 't'>, ages: AgeClock) {
    this.#services = services;
    this.#ages = ages;
  }

  /** The content of a row that is being drawn; undefined if its session is gone. */
  draw(row: SessionRow): SessionDrawing | undefined {
    const drawing = this.#describe(row);
    if (!drawing) return undefined;
    this.#drawn.set(row.rowId, JSON.stringify(drawing));
    this.#tooltips.delete(row.rowId);
    return drawing;
  }

  /** The tooltip of a row, which VS Code keeps until the row is drawn again. */
  drawTooltip(row: SessionRow): string {
    const text = this.#tooltipOf(row);
    this.#tooltips.set(row.rowId, text);
    return text;
  }

  /** Whether a row was drawn, and its content or its tooltip has changed since. */
  isOutdated(row: SessionRow): boolean {
    const [drawn, tooltip] = [this.#drawn.get(row.rowId), this.#tooltips.get(row.rowId)];
    const isOld = drawn !== undefined && drawn !== JSON.stringify(this.#describe(row));
    return isOld || (tooltip !== undefined && tooltip !== this.#tooltipOf(row));
  }

  /**
   * Forgets all rows. Call this before VS Code asks for all of them again, so that rows that are gone don't stay in
   * memory.
   */
  forget(): void {
    this.#drawn.clear();
    this.#tooltips.clear();
  }

  #describe(row: SessionRow): SessionDrawing | undefined {
    const { store, treeOptions, t } = this.#services;
    const record = store.record(row.key);
    if (!record) return undefined;
    const connection = store.connectionOf(row.key.origin);
    const description = describeSession(record, connection, this.#ages.timeMs, t, treeOptions.titleWidth);
    return { description, flags: sessionFlags(record), childIds: childSessionIds(record) };
  }

  #tooltipOf(row: SessionRow): string {
    const { store, t } = this.#services;
    const record = store.record(row.key);
    return record ? describeSessionTooltip(record, store.connectionOf(row.key.origin), this.#ages.timeMs, t) : '';
  }
}
