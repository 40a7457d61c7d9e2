/** The IDs of the views. They must not change. */
export const viewIds = {
  sessions: 'lineside.sessions',
  conversation: 'lineside.conversation',
  /** The view types of editor tabs. */
  conversationEditor: 'lineside.conversationEditor',
  usage: 'lineside.usage',
} as const;
