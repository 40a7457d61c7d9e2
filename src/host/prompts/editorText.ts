/**
 * How VS Code interprets text in its own surfaces, and how text of a service is protected from that (R7).
 * Notifications, the messages of input boxes, and the hovers of quick picks and terminals turn `[text](command:id)`
 * into a link that runs the command, and `![text](address)` into an image that is loaded. Quick picks, input boxes,
 * CodeLenses, names of terminals, and the status bar turn `$(name)` into an icon.
 */

/** Adds a space between the parts of links and images, and after the bracket of `<command:id>`, so they stay text. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (').replace(/<(?=[a-z][\w+.-]{0,31}:)/gi, '< ');
}

/**
 * The tooltip of a link in an editor. After the link is followed, VS Code shows the tooltip as the label of a Markdown
 * link, in a text that may run commands. VS Code escapes the closing brackets in the label, except those after a
 * backslash.
 */
export function linkTooltip(text: string): string {
  return withoutLinks(text).replace(/\\(?=\])|!(?=\[)/g, '$& ');
}

/** Makes text plain for a notification, in which VS Code would draw links and code. */
export function plainNotification(text: string): string {
  return withoutLinks(text).replaceAll('`', "'");
}

/**
 * Escapes `$(name)` for surfaces in which VS Code shows the text without the backslash. A second call changes nothing.
 */
export function withoutIcons(text: string): string {
  return text.replace(/(?<!\\)\$\(/g, '\\$(');
}

/** Makes text plain for surfaces in which VS Code draws icons and links, or shows the text as Markdown in a hover. */
export function plainLabel(text: string): string {
  return withoutIcons(withoutLinks(text));
}
