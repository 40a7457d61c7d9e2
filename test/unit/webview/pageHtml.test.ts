import { describe, expect, it } from 'vitest';
import { renderPageHtml, type PageHtmlContent } from '../../../src/views/conversation/pageHtml.ts';

const parts: PageHtmlContent = {
  cspSource: 'https://*.vscode-cdn.net',
  mediaUri: 'https://file+.vscode-resource.vscode-cdn.net/x/dist/media',
  scriptUri: 'https://file+.vscode-resource.vscode-cdn.net/x/dist/media/conversation.js',
  style: 'body { margin: 0 }',
  language: 'en',
  title: 'Conversation',
  place: 'view',
};
const nonceOf = (html: string) => /script-src 'nonce-([^']+)'/.exec(html)?.[1] ?? '';
const unescape = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('renderPageHtml', () => {
  const pages = Array.from({ length: 100 }, () => renderPageHtml(parts));

  it('starts the head with exactly the promised content security policy (R1)', () => {
    for (const html of pages) {
      const policy = /<head>\s*<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1] ?? '';
      expect(unescape(policy).split('; ')).toEqual([
        "default-src 'none'",
        `script-src 'nonce-${nonceOf(html)}'`,
        `style-src 'nonce-${nonceOf(html)}'`,
        'img-src https://*.vscode-cdn.net data:',
        'font-src https://*.vscode-cdn.net',
        "base-uri 'none'",
        "form-action 'none'",
      ]);
    }
  });

  it('uses a new nonce of at least 16 bytes for each page, on its scripts and its style sheet', () => {
    const nonces = pages.map(nonceOf);
    expect(new Set(nonces).size).toBe(100);
    for (const [index, nonce] of nonces.entries()) {
      expect(Buffer.from(nonce, 'base64url').length).toBeGreaterThanOrEqual(16);
      expect(pages[index]?.match(/<(script|style)\b[^>]*>/g)).toEqual([
        `<script nonce="${nonce}">`,
        `<style nonce="${nonce}">`,
        `<script nonce="${nonce}" src="${parts.scriptUri}">`,
      ]);
    }
  });

  it('loads only its script, and renders no inline handlers or style attributes', () => {
    for (const html of pages) {
      expect(html.match(/\s(?:src|href)="[^"]*"/g)).toEqual([` src="${parts.scriptUri}"`]);
      expect(html).not.toMatch(/\s(on\w+|style)=/);
    }
  });

  it('contains its style sheet, and queues early messages before its script runs', () => {
    for (const html of pages) {
      const [early, bundle] = [...html.matchAll(/<script nonce="[^"]*"[^>]*>([^<]*)<\/script>/g)].map(
        ([, text]) => text,
      );
      expect(early).toContain("addEventListener('message'");
      expect(bundle).toBe('');
      expect(html).toContain(`>${parts.style}</style>`);
    }
  });

  it('escapes its input', () => {
    const html = renderPageHtml({
      ...parts,
      title: '</title><script>alert(1)</script>',
      language: '"><b>',
      mediaUri: '"><b>',
      scriptUri: '"><b>',
    });
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<b>');
  });
});
