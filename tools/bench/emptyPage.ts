/**
 * The baseline of the benchmark, called the floor: a page that only reports that it is ready and shows the number of
 * messages it has received. It measures the cost of the browser and the message channel, without the conversation page.
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
