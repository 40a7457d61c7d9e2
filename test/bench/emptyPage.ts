/**
 * The floor: a page that does nothing but say that it is there, and show one line for whatever it is told. What this
 * takes is taken by the browser and the channel, not by the conversation page.
 */
declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const line = document.createElement('p');
const field = document.createElement('textarea');
document.body.append(line, field);
let count = 0;
window.addEventListener('message', () => {
  count += 1;
  line.textContent = String(count);
});
acquireVsCodeApi().postMessage({ type: 'ready' });
