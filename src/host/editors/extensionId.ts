/** How the editor names this extension: publisher and name of package.json. */
export const extensionId = 'session-deck.session-deck';
