import type { PagePart } from '../../shared/protocol/rowTypes.ts';
import type { Words } from '../strings.ts';
import type { Formatters } from './lazyFormatters.ts';
import type { IdleQueue } from './idleQueue.ts';
import type { PathLinks } from './paths.ts';

/** What the host does with a block of code. */
export interface CodeActions {
  /** Puts it on the clipboard. */
  readonly copy: (text: string) => void;
  /** Puts it where the cursor of the editor is. */
  readonly insert: (text: string) => void;
  /** Opens it as a new file that is not saved; `language` is the word the message names it by. */
  readonly openInNewFile: (text: string, language: string | undefined) => void;
}

/** What the host does with the pictures and files of messages, whose bytes it has. */
export interface FileActions {
  readonly openPicture: (part: PagePart) => void;
  readonly save: (part: PagePart) => void;
}

/** What drawing a message needs besides the message. */
export interface RenderContext extends Formatters {
  readonly words: Words;
  readonly idle: IdleQueue;
  readonly code: CodeActions;
  readonly paths: PathLinks;
  readonly files: FileActions;
  /** Asks the host for the details of a row's message. */
  readonly wantDetails: (rowKey: string) => void;
  /** Asks the host for the whole of a message as a document, by the row's key. */
  readonly showAll: (key: string) => void;
  /** Something could not be drawn; for the log. */
  readonly failed: (reason: string) => void;
  /** Which folds the person has opened or closed, by the place of the fold. */
  readonly folds: Map<string, boolean>;
}
