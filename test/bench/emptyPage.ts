/**
 * The floor: a page that only reports that it is ready, and shows one line for each message it receives. Its cost is
 * the cost of the browser and the channel, not of the conversation page.
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
