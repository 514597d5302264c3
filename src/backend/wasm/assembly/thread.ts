/** 0 for the thread that runs the plan, 1.. for its helpers. Each thread has an instance, so a global, of its own. */
export let thread: usize = 0;

export function setThread(index: usize): void {
  thread = index;
}
