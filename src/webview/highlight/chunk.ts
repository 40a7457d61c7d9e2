import { makeHighlighter } from './makeHighlighter.ts';

window.sessionDeckHighlighter = makeHighlighter();
