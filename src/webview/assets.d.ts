/** How the page's build imports other files: SVG images as text, style sheets without a value. */
declare module '*.svg' {
  const text: string;
  export default text;
}

declare module '*.css' {}
