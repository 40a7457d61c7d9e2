/**
 * The next text on the way from one that an editor shows to the one it should show. An editor replaces everything from
 * the first line that differs to the last, and takes the reader's caret along: where both the head and the messages
 * changed, they change one after the other. `isHeadNext` is for who has just changed the messages.
 */
export function stepTowards(shown: string, wanted: string, isHeadNext: boolean): string {
  const [from, to] = [parted(shown), parted(wanted)];
  if (from.head === to.head || from.messages === to.messages) return wanted;
  return isHeadNext ? to.head + from.messages : from.head + to.messages;
}

/** What stands before the first heading of a message, and the rest. */
function parted(text: string): { readonly head: string; readonly messages: string } {
  const at = text.search(/^#{2,3} /m);
  return at < 0 ? { head: text, messages: '' } : { head: text.slice(0, at), messages: text.slice(at) };
}
