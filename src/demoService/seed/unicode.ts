import { Transcript } from './transcript.ts';

/** Text in several writing systems and directions, with emoji and long lines, as a rendering test. */
export function unicodeTranscript(startedAtMs: number): Transcript {
  const transcript = new Transcript('unicode', startedAtMs);
  transcript.user('設定画面を日本語、アラビア語、ヒンディー語に対応させてください。絵文字 👩🏽‍💻 も壊れないように。', {
    userMessageSource: 'cli_acp',
  });
  transcript.assistant(`了解しました。まず**文字列の一覧**です。

| English | 日本語 | العربية | עברית | हिन्दी |
| --- | --- | --- | --- | --- |
| Settings | 設定 | الإعدادات | הגדרות | सेटिंग्स |
| Save | 保存 | حفظ | שמירה | सहेजें |
| Cancel | キャンセル | إلغاء | ביטול | रद्द करें |

長い文は「。」の後で折り返します。空白のない言語では単語の途中で折り返してもかまいませんが、句読点を行頭に置いてはいけません。`);
  transcript.user('وماذا عن الاتجاه؟ الملف `settings.ts` يحتوي على (أقواس) وأرقام ١٢٣ و 456.', {
    userMessageSource: 'cli_exec',
  });
  transcript.assistant(`يُضبط الاتجاه لكل فقرة على حدة:

\`\`\`html
<p dir="auto">مرحبا, world! 👋🏽</p>
\`\`\`

השורה הזאת מימין לשמאל, עם \`code\` באמצע.

- Zoë, naïve, Ångström, Łódź, İstanbul, ß
- 👨‍👩‍👧‍👦 🏳️‍🌈 🇯🇵 🧑🏿‍🚀 é (e + U+0301), ﷽
- 𝔘𝔫𝔦𝔠𝔬𝔡𝔢, 𠮷野家, ﬁ`);
  transcript.user('And one line that cannot break, please.', { userMessageSource: 'sessions_api' });
  transcript.assistant(`As code and as text:

\`\`\`text
${'https://example.com/a/very/long/path/'.repeat(8)}?q=${'0123456789abcdef'.repeat(16)}
\`\`\`

${'Donaudampfschifffahrtsgesellschaftskapitänsmütze'.repeat(6)}`);
  return transcript;
}
