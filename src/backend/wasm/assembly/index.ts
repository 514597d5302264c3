// The program of the WASM backend. Memory is imported and laid out by the host; nothing here allocates.

import { runPhase } from './phases';
import { RECORD_BYTES, slot, SLOT_ALWAYS, SLOT_GRAIN, SLOT_ITEMS, SLOT_STATE, STATE_DONE } from './record';
import { help as helpForever, share } from './team';

/**
 * Runs `count` records one after the other, `times` times over, on this thread and, when `threads` > 1, its helpers.
 * Records whose state says DONE are skipped, and when all are, the rest of the repetitions is too. Gives the number of
 * repetitions that ran.
 */
export function execute(records: usize, count: u32, times: u32, threads: u32): u32 {
  const end = records + count * RECORD_BYTES;
  for (let time: u32 = 0; time < times; time++) {
    let running = false;
    for (let record = records; record < end; record += RECORD_BYTES) {
      const done = load<f64>(slot(record, SLOT_STATE) + STATE_DONE) != 0;
      if (done && slot(record, SLOT_ALWAYS) == 0) continue;
      const items = <u32>slot(record, SLOT_ITEMS);
      const grain = <u32>slot(record, SLOT_GRAIN);
      const ranges = (items + grain - 1) / grain;
      if (ASC_FEATURE_THREADS && threads > 1 && ranges > 1) share(record, ranges);
      else if (items > 0) runPhase(record, 0, items);
    }
    for (let record = records; record < end; record += RECORD_BYTES) {
      if (load<f64>(slot(record, SLOT_STATE) + STATE_DONE) == 0) running = true;
    }
    if (!running) return time + 1;
  }
  return times;
}

/** Only in the program for shared memory: a helper thread lives in here until the backend closes. */
export function help(index: u32): void {
  if (ASC_FEATURE_THREADS) helpForever(index);
}
