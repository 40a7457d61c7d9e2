/** The schemes of our read-only files; promised names. */
export const fileSchemes = {
  /** Conversations and messages as documents. */
  conversation: 'session-deck',
  /** Pictures that came in messages. */
  message: 'session-deck-message',
  /** What was attached and is not sent yet. */
  attachment: 'session-deck-attachment',
} as const;

export type FileScheme = (typeof fileSchemes)[keyof typeof fileSchemes];
