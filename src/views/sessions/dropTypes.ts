/** The media types of what can be dropped on the Sessions view. */
export const dropTypes = { uriList: 'text/uri-list', plainText: 'text/plain' } as const;
