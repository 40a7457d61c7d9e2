/** The variable parts of the HTML of a page. All of them come from the extension itself. */
export interface PageHtmlContent {
  /** `webview.cspSource`, the origin from which VS Code serves the media folder. */
  readonly cspSource: string;
  /** The address of the media folder, from which the page loads scripts that it needs later. */
  readonly mediaUri: string;
  /** The address of the page's script. */
  readonly scriptUri: string;
  /** The text of the page's style sheet. */
  readonly style: string;
  /** BCP 47 tag of the language of the page's strings. */
  readonly language: string;
  readonly title: string;
  /** The location of the page, which determines its background color. */
  readonly place: 'view' | 'editor';
  /** Set only in tests. By default, each page gets 18 random bytes in base64url. */
  readonly nonce?: string;
}

/**
 * The HTML of a page: a content security policy, an inline script that queues early messages, and an empty body, which
 * the bundle fills. The policy allows only scripts and style sheets that have the page's nonce. It is the first element
 * of the head, so that it applies to everything after it. The bundle is a file, because browsers cache the compiled
 * code of files. The style sheet is part of the page, because loading a file is slower: it passes through a service
 * worker, the workbench, and the server.
 */
export function renderPageHtml(parts: PageHtmlContent): string {
  const nonce = parts.nonce ?? freshNonce();
  const quotedNonce = `nonce="${escapeAttribute(nonce)}"`;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `img-src ${parts.cspSource} data:`,
    `font-src ${parts.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const attributes = [
    `lang="${escapeAttribute(parts.language)}"`,
    `data-place="${parts.place}"`,
    `data-media="${escapeAttribute(parts.mediaUri)}"`,
  ].join(' ');
  return `<!DOCTYPE html>
<html ${attributes}>
<head>
<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeAttribute(parts.title)}</title>
<script ${quotedNonce}>${keepEarlyMessages}</script>
<style ${quotedNonce}>${parts.style}</style>
</head>
<body>
<script ${quotedNonce} src="${escapeAttribute(parts.scriptUri)}"></script>
</body>
</html>
`;
}

/**
 * Preloaded messages can arrive before the bundle has run, because VS Code waits only 200 ms for a page to load before
 * delivering them. This script queues them for webview/hostChannel.
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
