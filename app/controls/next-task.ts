/** @returns once the page has done what waits: what comes after it is a task of its own */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
