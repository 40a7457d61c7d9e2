import { describe, expect, it } from 'vitest';
import { renderPageHtml, type PageHtmlContent } from '../../../src/views/conversation/pageHtml.ts';

const parts: PageHtmlContent = {
  cspSource: 'https://*.vscode-cdn.net',
  scriptUri: 'https://file+.vscode-resource.vscode-cdn.net/x/conversation.js',
  styleUri: 'https://file+.vscode-resource.vscode-cdn.net/x/conversation.css',
  language: 'en',
  title: 'Conversation',
  place: 'view',
};
const nonceOf = (html: string) => /script-src 'nonce-([^']+)'/.exec(html)?.[1] ?? '';
const unescape = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('renderPageHtml', () => {
  const pages = Array.from({ length: 100 }, () => renderPageHtml(parts));

  it('starts the head with exactly the promised content security policy', () => {
    for (const html of pages) {
      const policy = /<head>\s*<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1] ?? '';
      expect(unescape(policy).split('; ')).toEqual([
        "default-src 'none'",
        `script-src 'nonce-${nonceOf(html)}'`,
        'style-src https://*.vscode-cdn.net',
        'img-src https://*.vscode-cdn.net data:',
        'font-src https://*.vscode-cdn.net',
        "base-uri 'none'",
        "form-action 'none'",
      ]);
    }
  });

  it('uses a new nonce of at least 16 bytes for each page, on both scripts', () => {
    const nonces = pages.map(nonceOf);
    expect(new Set(nonces).size).toBe(100);
    for (const [index, nonce] of nonces.entries()) {
      expect(Buffer.from(nonce, 'base64url').length).toBeGreaterThanOrEqual(16);
      expect(pages[index]?.match(/<script\b[^>]*>/g)).toEqual([
        `<script nonce="${nonce}">`,
        `<script nonce="${nonce}" src="${parts.scriptUri}">`,
      ]);
    }
  });

  it('renders no inline handlers or styles, and one constant inline script before all fetched resources', () => {
    const lines = pages.map((html) => /<script nonce="[^"]*">([^<]*)<\/script>\s*<link/.exec(html)?.[1]);
    expect(new Set(lines).size).toBe(1);
    for (const html of pages) expect(html).not.toMatch(/\son\w+=|\sstyle=|<style/);
    expect(lines[0]).toContain("addEventListener('message'");
  });

  it('escapes its input', () => {
    const html = renderPageHtml({ ...parts, title: '</title><script>alert(1)</script>', language: '"><b>' });
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<b>');
  });
});
