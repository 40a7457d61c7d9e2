/** What the conversation page's HTML is made of; all of it comes from the extension itself. */
export interface PageHtmlParts {
  /** `webview.cspSource`: where the editor serves the bundle from. */
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** BCP 47, the language of the page's own words. */
  readonly language: string;
  readonly title: string;
  /** Where the page stands, whose ground it lies on: a side bar or an editor tab. */
  readonly place: 'view' | 'editor';
  /** For tests; by default 16 random bytes, new for each page. */
  readonly nonce?: string;
}

/**
 * The whole page: a policy that lets in nothing but the bundle's one script and style sheet, a line that keeps what comes
 * before that script, and an empty body that the script fills. The policy is the first element of the head, so nothing before it escapes it.
 */
export function renderPageHtml(parts: PageHtmlParts): string {
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
 * Messages sent ahead may come before the page's script has been fetched: VS Code waits 200 ms for a page to load, then
 * hands over what it holds. They are kept for webview/hostChannel; style sheets would hold up what stands behind them.
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
