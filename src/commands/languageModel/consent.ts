import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { plainLabel } from '../../host/prompts/editorText.ts';
import { confirmUnexpected } from '../../host/prompts/notify.ts';
import { Picker } from '../../host/prompts/picker.ts';
import { fileSchemes } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import { ReadOnlyFiles, textContent } from '../../host/readOnlyFiles/readOnlyFiles.ts';
import { visibleText } from '../../shared/text/hiddenCharacters.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import { plainLine } from '../../shared/text.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import type { Services } from '../services.ts';

type ConsentServices = Pick<Services, 'store' | 't'>;

/**
 * A message with more lines or characters is shown in an editor instead, because a dialog would cut it. The question is
 * then a quick pick, because the editor can't be scrolled while a dialog is open.
 */
const dialogLines = 20;
const dialogLength = 2_000;
/**
 * VS Code's editor draws only 10,000 UTF-16 code units of a line that it doesn't wrap. It can fail to wrap a line that
 * has tabs and is longer than 16,384 code units. Lines of this many characters stay below both limits.
 */
const lineLength = 4_000;
const breakMark = '↵';
const linePieces = new RegExp(`[^\\n]{1,${lineLength}}`, 'gu');
/** What {@link visibleText} writes instead of a hidden character. */
const hiddenCode = /<U\+[0-9A-F]{4,6}>/;

/**
 * Asks the user before a language model reads or sends messages. VS Code's own confirmation of tools can be turned off,
 * so these are questions of our own.
 */
export class Consent {
  /** The longer messages that the user is asked about, as read-only files. */
  readonly files: ReadOnlyFiles;
  readonly #services: ConsentServices;
  readonly #messages = new Map<string, string>();
  /** One question at a time, so that the message in the editor is the one that the question is about. */
  readonly #questions = new SerialQueue();
  /** The answers in this window, by the text of the session's key; for all sessions of a service, by its origin. */
  readonly #reading = new Map<string, Promise<boolean>>();

  constructor(services: ConsentServices) {
    this.#services = services;
    this.files = new ReadOnlyFiles(fileSchemes.question, (fileId) => {
      const text = this.#messages.get(fileId);
      return Promise.resolve(text === undefined ? undefined : textContent(text));
    });
  }

  /**
   * Whether a language model may read a session. Asks once for each session and window, even if the answer is no.
   * Doesn't ask if the user allowed all sessions of the service before.
   */
  mayRead(key: SessionKey): Promise<boolean> {
    const { t } = this.#services;
    const all = this.#reading.get(key.origin);
    return this.#once(keyText(key), async () => {
      if (await all) return true;
      return confirmUnexpected(
        t('Let a language model read "{0}"?', this.#titleOf(key)),
        t(
          'An agent in VS Code requests messages of this session. They are sent to the language model that the agent uses. Lineside asks once per session in each window.',
        ),
        t("Don't Allow"),
        t('Allow'),
      );
    });
  }

  /**
   * Whether a language model may search and read all sessions of a service. Asks once for each service and window, even
   * if the answer is no.
   */
  mayReadAll(origin: string): Promise<boolean> {
    const { t } = this.#services;
    return this.#once(origin, () =>
      confirmUnexpected(
        t('Let a language model search and read all your sessions?'),
        t(
          'An agent in VS Code wants to search the sessions of {0}. Results are sent to the language model that the agent uses. Lineside asks once in each window.',
          origin,
        ),
        t("Don't Allow"),
        t('Allow'),
      ),
    );
  }

  /**
   * Asks before each message of a language model. Resolves to whether the user allows this one. The question shows what
   * {@link visibleText} makes of `text`, so that is what may be sent. If the call was canceled before its turn,
   * resolves to false without asking.
   */
  maySend(key: SessionKey, text: string, token: vscode.CancellationToken): Promise<boolean> {
    return this.#questions.run(() => !token.isCancellationRequested && this.#askToSend(key, visibleText(text), token));
  }

  async #askToSend(key: SessionKey, text: string, token: vscode.CancellationToken): Promise<boolean> {
    const { t } = this.#services;
    const question = t('Send this message from a language model to "{0}"?', this.#titleOf(key));
    const place = [t('Service: {0}', key.origin), t('Session: {0}', plainLine(key.sessionId, 80))];
    const notes = hiddenCode.test(text)
      ? [t('Hidden characters are replaced by codes such as {0}. The message is sent as it is shown.', '<U+202E>')]
      : [];
    const lineCount = text.split('\n').length;
    if (text.length <= dialogLength && lineCount <= dialogLines) {
      const detail = [place.join('\n'), text, ...notes].join('\n\n');
      return confirmUnexpected(question, detail, t("Don't Send"), t('Send'));
    }
    const broken = brokenLines(text);
    if (broken !== text) {
      notes.push(
        t(
          'Lines of more than {0} characters are broken after the mark {1}. The message is sent without these marks and line breaks.',
          lineLength,
          breakMark,
        ),
      );
    }
    // The quick pick covers the first lines of the editor, so the message begins below them.
    await this.#show([question, ...place, ...notes, '', '─'.repeat(40), '', broken].join('\n'));
    const shown = t(
      {
        one: 'The message is open in the editor (1 line).',
        other: 'The message is open in the editor ({0} lines).',
      },
      lineCount,
    );
    return this.#askInPicker(question, shown, [...place, ...notes].join(' '), token);
  }

  /**
   * Asks in a quick pick, which stays visible until the user answers. A notification that the user ignores never ends,
   * and would hold up later questions.
   */
  async #askInPicker(title: string, placeholder: string, detail: string, token: vscode.CancellationToken) {
    const { t } = this.#services;
    const picker = new Picker<boolean, boolean>({ title: plainLabel(title), placeholder, ignoreFocusOut: true });
    picker.show([
      { label: t("Don't Send"), value: false },
      { label: t('Send'), detail, value: true },
    ]);
    picker.add(token.onCancellationRequested(() => picker.finish(false)));
    const answer = await picker.ask({
      accept: (isSent) => {
        // The user may be typing when the question appears: the letters would select a row, and Enter would accept it.
        if (isSent === true && picker.text !== '') picker.text = '';
        else if (isSent !== undefined) picker.finish(isSent);
      },
    });
    return answer === true;
  }

  /** Opens the text in an editor. The language of the file makes the editor wrap all lines. */
  async #show(text: string): Promise<void> {
    const fileId = randomUUID();
    this.#messages.clear();
    this.#messages.set(fileId, text);
    await this.files.show(fileId, 'message.txt');
  }

  #once(scope: string, ask: () => Promise<boolean>): Promise<boolean> {
    const known = this.#reading.get(scope);
    if (known) return known;
    const answer = ask();
    this.#reading.set(scope, answer);
    // A question that VS Code couldn't show has no answer, so it is asked again.
    void answer.catch(() => this.#reading.delete(scope));
    return answer;
  }

  #titleOf(key: SessionKey): string {
    const record = this.#services.store.record(key);
    return record ? plainLine(sessionTitle(record), 80) : plainLine(key.sessionId, 80);
  }
}

/** Breaks lines that VS Code's editor might not draw completely, and marks the breaks. Takes linear time. */
function brokenLines(text: string): string {
  return text.replace(linePieces, (piece, offset: number) => {
    const next = text[offset + piece.length];
    return next === undefined || next === '\n' ? piece : `${piece}${breakMark}\n`;
  });
}
