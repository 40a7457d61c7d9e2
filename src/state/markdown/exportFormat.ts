/** What a conversation can be exported as. */
export const exportFormats = ['markdown', 'json', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];
