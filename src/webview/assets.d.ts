/** What the page's build gives for files that are not code: pictures as their text, styles as nothing. */
declare module '*.svg' {
  const text: string;
  export default text;
}

declare module '*.css' {}
