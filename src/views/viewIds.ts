/** How VS Code knows our surfaces; promised names. */
export const viewIds = {
  sessions: 'sessionDeck.sessions',
  conversation: 'sessionDeck.conversation',
  /** The view types of editor tabs. */
  conversationEditor: 'sessionDeck.conversationEditor',
  usage: 'sessionDeck.usage',
} as const;
