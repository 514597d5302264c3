// A record is one phase of a kernel call, bound once by ../records.ts: a row of float64 slots, which hold every
// integer and pointer of 32 bits exactly. The first slots say what runs, over how many items, and which state may stop
// it; the kernel's own arguments follow.

export const SLOT_PHASE: u32 = 0;
export const SLOT_STATE: u32 = 1;
/** 1 for what runs even when the run has stopped */
export const SLOT_ALWAYS: u32 = 2;
export const SLOT_ITEMS: u32 = 3;
/** items that one claim takes */
export const SLOT_GRAIN: u32 = 4;
export const SLOT_ARGUMENTS: u32 = 5;
export const RECORD_BYTES: usize = 32 * 8;

// @ts-ignore: decorator
@inline
export function slot(record: usize, index: u32): usize {
  return <usize>load<f64>(record + ((<usize>index) << 3));
}

/** Argument `index` as an integer or a pointer. */
// @ts-ignore: decorator
@inline
export function argument(record: usize, index: u32): usize {
  return slot(record, SLOT_ARGUMENTS + index);
}

/** Argument `index` as a number. */
// @ts-ignore: decorator
@inline
export function number(record: usize, index: u32): f64 {
  return load<f64>(record + ((<usize>(SLOT_ARGUMENTS + index)) << 3));
}

// Slots of the state array: state.ts of the backend says what they mean.
export const STATE_ITERATION: usize = 0 << 3;
export const STATE_LINEAR: usize = 1 << 3;
export const STATE_BEST_PRIMAL: usize = 2 << 3;
export const STATE_KEEP: usize = 3 << 3;
export const STATE_MOVE: usize = 4 << 3;
export const STATE_IMPROVED: usize = 5 << 3;
export const STATE_DONE: usize = 6 << 3;
export const STATE_TARGET_ABS: usize = 7 << 3;
export const STATE_TARGET_REL: usize = 8 << 3;
export const STATE_MAX_ITERATION: usize = 9 << 3;
export const STATE_SHARE: usize = 10 << 3;
