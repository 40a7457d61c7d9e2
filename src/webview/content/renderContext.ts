import type { Announcer } from '../dom/announcer.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import type { Strings } from '../strings.ts';
import type { IdleQueue } from './idleQueue.ts';
import type { Formatters } from './lazyFormatters.ts';
import type { PathLinks } from './paths.ts';
import type { TerminalColors } from './terminalColors.ts';

/** Everything except the message itself that is needed to draw a message. One instance per conversation view. */
export interface RenderContext extends Formatters {
  readonly strings: Strings;
  readonly channel: SessionChannel;
  readonly announcer: Announcer;
  readonly idle: IdleQueue;
  readonly paths: PathLinks;
  readonly terminalColors: TerminalColors;
  readonly answers: Answers;
  /**
   * Whether a part is expanded, by the name of the part, for parts that the user toggled. All others have their default
   * state.
   */
  readonly folds: Map<string, boolean>;
}
