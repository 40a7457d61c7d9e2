/** What a paste or a drop brings, as far as it becomes an attachment. */
export interface Transferred {
  /** Files by their bytes: from the clipboard, or from the desktop. */
  readonly files: readonly File[];
  /** Files by their place: from the editor's own lists. */
  readonly uris: readonly string[];
}

const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list'];

/**
 * Files on the clipboard, unless it holds a text as well: then the text is what people mean (programs put a picture
 * beside it), but for the name of the copied file.
 */
export function pastedFiles(data: DataTransfer): readonly File[] {
  const files = [...data.files];
  const text = data.getData('text/plain').trim();
  const names = files.map(({ name }) => name);
  return text === '' || text.split(/\r?\n/).every((line) => names.includes(line)) ? files : [];
}

/** What was dropped. Addresses of web pages are text. */
export function dropped(data: DataTransfer): Transferred {
  const list = uriTypes.map((type) => data.getData(type)).find((text) => text !== '') ?? resourceUrls(data);
  const uris = list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/^(?:https?|data|javascript):/i.test(line));
  return uris.length > 0 ? { uris, files: [] } : { uris: [], files: [...data.files] };
}

/** Whether something that may become an attachment is being dragged; its content is not readable before the drop. */
export function mayAttach(data: DataTransfer | null): boolean {
  const types = data?.types.map((type) => type.toLowerCase()) ?? [];
  return types.some((type) => type === 'files' || type === 'resourceurls' || uriTypes.includes(type));
}

/** The editor's lists drag their files this way, too: a JSON list of URIs. */
function resourceUrls(data: DataTransfer): string {
  try {
    const urls: unknown = JSON.parse(data.getData('ResourceURLs'));
    return Array.isArray(urls) ? urls.filter((url) => typeof url === 'string').join('\n') : '';
  } catch {
    return '';
  }
}
