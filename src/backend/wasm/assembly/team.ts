// Parallel-for over the items of a record. The thread that runs the plan publishes a record with a ticket; everyone
// takes ranges of items by counting the ticket down, the publisher too, until none is left.
//
// The ticket is one 64-bit word: the number of the publication above, ranges left below. A range is taken by
// compare-and-exchange, so a late helper can never take one of a publication that is over, and the record cannot
// change under a range that was taken, because the publisher waits for all ranges to be reported finished.

import { runPhase } from './phases';
import { slot, SLOT_GRAIN, SLOT_ITEMS } from './record';
import { setThread } from './thread';

// Words of the control block, each on a cache line of its own. ../team.ts knows EPOCH and STOP.
const TICKET: usize = 64;
const FINISHED: usize = 128;
/** changes with every publication; helpers sleep on it */
const EPOCH: usize = 192;
const SLEEPERS: usize = 256;
const RECORD: usize = 320;
const STOP: usize = 384;

/** looks at a word before sleeping on it: some 10 microseconds, less than waking costs */
const SPINS: u32 = 4000;

/** Takes ranges and runs them until none is left. */
function work(): void {
  for (;;) {
    const ticket = atomic.load<u64>(TICKET);
    const left = <u32>ticket;
    if (left == 0) return;
    if (atomic.cmpxchg<u64>(TICKET, ticket, ticket - 1) != ticket) continue;
    const record = <usize>atomic.load<u32>(RECORD);
    const items = <u32>slot(record, SLOT_ITEMS);
    const grain = <u32>slot(record, SLOT_GRAIN);
    const lo = (left - 1) * grain;
    runPhase(record, lo, min(items, lo + grain));
    const ranges = (items + grain - 1) / grain;
    if (atomic.add<u32>(FINISHED, 1) + 1 == ranges) atomic.notify(FINISHED, 1);
  }
}

/** Runs all items of a record on all threads. */
export function share(record: usize, ranges: u32): void {
  const epoch = atomic.load<u32>(EPOCH) + 1;
  atomic.store<u32>(FINISHED, 0);
  atomic.store<u32>(RECORD, <u32>record);
  atomic.store<u64>(TICKET, ((<u64>epoch) << 32) | (<u64>ranges));
  atomic.store<u32>(EPOCH, epoch);
  if (atomic.load<u32>(SLEEPERS) > 0) atomic.notify(EPOCH, -1);
  work();
  for (let spins: u32 = 0; ; spins++) {
    const finished = atomic.load<u32>(FINISHED);
    if (finished == ranges) return;
    if (spins > SPINS) atomic.wait<i32>(FINISHED, finished, -1);
  }
}

/** What a helper does for its life: works, waits, until STOP is set. */
export function help(index: u32): void {
  setThread(index);
  while (atomic.load<u32>(STOP) == 0) {
    const epoch = atomic.load<u32>(EPOCH);
    work();
    let spins: u32 = 0;
    while (atomic.load<u32>(EPOCH) == epoch && spins < SPINS) spins++;
    if (spins < SPINS) continue;
    atomic.add<u32>(SLEEPERS, 1);
    atomic.wait<i32>(EPOCH, epoch, -1);
    atomic.sub<u32>(SLEEPERS, 1);
  }
}
