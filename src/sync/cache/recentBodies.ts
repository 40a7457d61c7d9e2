import type { Message } from '../../api/resources/message.ts';

/** So many bytes of bodies stay in memory, those read or written last (R38). */
const capBytes = 8 * 1024 * 1024;

/** A small memory of bodies, by session and message. Sizes are those on disk. */
export class RecentBodies {
  readonly #bodies = new Map<string, { readonly message: Message; readonly sizeBytes: number }>();
  #sizeBytes = 0;

  get(sessionText: string, messageId: string): Message | undefined {
    const name = nameOf(sessionText, messageId);
    const known = this.#bodies.get(name);
    if (!known) return undefined;
    // A Map keeps the order in which keys were set: the first is the one not used for longest.
    this.#bodies.delete(name);
    this.#bodies.set(name, known);
    return known.message;
  }

  set(sessionText: string, message: Message, sizeBytes: number): void {
    this.delete(sessionText, message.id);
    this.#bodies.set(nameOf(sessionText, message.id), { message, sizeBytes });
    this.#sizeBytes += sizeBytes;
    for (const name of this.#bodies.keys()) {
      if (this.#sizeBytes <= capBytes) return;
      this.#drop(name);
    }
  }

  delete(sessionText: string, messageId: string): void {
    this.#drop(nameOf(sessionText, messageId));
  }

  deleteSession(sessionText: string): void {
    const prefix = nameOf(sessionText, '');
    for (const name of [...this.#bodies.keys()]) if (name.startsWith(prefix)) this.#drop(name);
  }

  #drop(name: string): void {
    this.#sizeBytes -= this.#bodies.get(name)?.sizeBytes ?? 0;
    this.#bodies.delete(name);
  }
}

function nameOf(sessionText: string, messageId: string): string {
  return `${sessionText}\n${messageId}`;
}
