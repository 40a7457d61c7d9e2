/** The variable parts of the HTML of a page. All of them come from the extension itself. */
export interface PageHtmlContent {
  /** `webview.cspSource`, the origin from which VS Code serves the bundle. */
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** BCP 47 tag of the language of the page's strings. */
  readonly language: string;
  readonly title: string;
  /** Where the page is shown, which decides its background color. */
  readonly place: 'view' | 'editor';
  /** For tests. By default, 18 random bytes for each page. */
  readonly nonce?: string;
}

/**
 * The HTML of a page: a content security policy that allows only the script and the style sheet of the bundle, an inline
 * script that keeps early messages, and an empty body, which the bundle fills. The policy is the first element of the
 * head, so that it applies to everything.
 */
export function renderPageHtml(parts: PageHtmlContent): string {
  const nonce = parts.nonce ?? freshNonce();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${parts.cspSource}`,
    `img-src ${parts.cspSource} data:`,
    `font-src ${parts.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(parts.language)}" data-place="${parts.place}">
<head>
<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeAttribute(parts.title)}</title>
<script nonce="${escapeAttribute(nonce)}">${keepEarlyMessages}</script>
<link rel="stylesheet" href="${escapeAttribute(parts.styleUri)}">
</head>
<body>
<script nonce="${escapeAttribute(nonce)}" src="${escapeAttribute(parts.scriptUri)}"></script>
</body>
</html>
`;
}

/**
 * Preloaded messages can arrive before the bundle does: VS Code waits 200 ms for a page to load, then delivers them. This
 * script keeps them for webview/hostChannel. It comes before the style sheet, which would delay it.
 */
const keepEarlyMessages = "linesideEarly=[];addEventListener('message',(event)=>window.linesideEarly?.push(event))";

function freshNonce(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(18));
  return Buffer.from(bytes).toString('base64url');
}

function escapeAttribute(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
  return text.replace(/[&"<>]/g, (character) => entities[character] ?? '');
}
