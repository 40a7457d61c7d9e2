import type { Announcer } from '../dom/announcer.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import type { Strings } from '../strings.ts';
import type { IdleQueue } from './idleQueue.ts';
import type { Formatters } from './lazyFormatters.ts';
import type { PathLinks } from './pathLinks.ts';
import type { TerminalColors } from './terminalColors.ts';

/** Everything except the message itself that is needed to draw a message. One instance per `ConversationView`. */
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

/** Shows which answers the composer contains. */
export interface AnswerView {
  showAnswers(): void;
}

/** The answers that question cards have written into the composer, by names that the cards choose. */
export interface Answers {
  /**
   * Updates the view of a card when the composer may have gained or lost an answer, until another view gets this name.
   */
  follow(name: string, view: AnswerView): void;
  /** Whether the composer contains this answer, unchanged. */
  has(name: string): boolean;
  /** The indexes of the question's options in an answer; empty if the composer doesn't contain the answer unchanged. */
  choicesOf(name: string): ReadonlySet<number>;
  /**
   * Writes an answer, in place of the one with the same name if the composer contains it unchanged; an empty text
   * removes it. Moves the focus to the composer. `choices` are the indexes of the question's options that the text
   * consists of, which `choicesOf` returns; absent if it doesn't consist of options.
   */
  write(name: string, text: string, choices?: ReadonlySet<number>): void;
  /** Moves the focus to the composer. */
  focus(): void;
  /** Sends what the composer contains. */
  send(): void;
}
