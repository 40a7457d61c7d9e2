import { LruMap } from '../../shared/lruMap.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';

/** The number of sessions whose texts are kept. */
const maxSessions = 20;

/**
 * The texts of messages that the user was entering, one for each session, when the input box was closed. They are kept
 * in memory until the window closes, and offered in the next input box. They aren't part of the drafts, because the
 * user may have pressed Escape.
 */
export class UnsentTexts {
  readonly #texts = new LruMap<string, string>(maxSessions);

  /** The text that was entered for a session; undefined if there is none. */
  of(key: SessionKey): string | undefined {
    return this.#texts.get(keyText(key));
  }

  /** Replaces the text of a session. A blank text isn't kept. */
  set(key: SessionKey, text: string): void {
    if (text.trim() === '') this.#texts.delete(keyText(key));
    else this.#texts.set(keyText(key), text);
  }
}
