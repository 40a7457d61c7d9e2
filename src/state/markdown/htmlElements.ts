/**
 * The names of HTML elements, current and obsolete, in lowercase, except for those that only format text in a line.
 * Without attributes, the latter can't load or change anything, so documents keep them.
 */
export const htmlElements: ReadonlySet<string> = new Set(
  (
    'a acronym address applet area article aside audio base basefont bdi bdo bgsound blink blockquote body button ' +
    'canvas caption center col colgroup data datalist dd details dialog dir div dl dt embed fieldset figcaption ' +
    'figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe image img input ' +
    'isindex keygen label legend li link listing main map marquee math menu menuitem meta meter multicol nav nextid ' +
    'nobr noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre progress rb ' +
    'rp rt rtc ruby script search section select selectedcontent slot source spacer span style summary svg table ' +
    'tbody td template textarea tfoot th thead time title tr track ul video xmp'
  ).split(' '),
);
