// A place where the workers of one record wait for each other. Each worker is a thread of its own.

const ARRIVED: usize = 0;
const GENERATION: usize = 4;
const SPINS: u32 = 20000;

/** Returns when all `workers` have called it; `place`: 8 bytes, 0 before the first use. */
export function meet(place: usize, workers: u32): void {
  if (!ASC_FEATURE_THREADS || workers == 1) return;
  const generation = atomic.load<u32>(place, GENERATION);
  if (atomic.add<u32>(place, 1, ARRIVED) + 1 == workers) {
    atomic.store<u32>(place, 0, ARRIVED);
    atomic.add<u32>(place, 1, GENERATION);
    atomic.notify(place + GENERATION, -1);
    return;
  }
  for (let spins: u32 = 0; atomic.load<u32>(place, GENERATION) == generation; spins++) {
    if (spins > SPINS) atomic.wait<i32>(place + GENERATION, generation, -1);
  }
}
