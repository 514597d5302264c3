import { BackendError } from '../backend.ts';

const PAGE = 65_536;
/** One page short of what 32 bits reach, so that the address behind the last byte is a number too. */
const MAX_PAGES = 65_535;
/** The control block of assembly/team.ts; address 0 stays unused, so that 0 can mean 'absent'. */
const RESERVED = 1024;
/** a cache line, so that threads do not share one across arrays */
const ALIGNMENT = 64;

export const MAX_BYTES = MAX_PAGES * PAGE;

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** Blocks of one WebAssembly memory: first fit from a list of gaps, grown when none fits. Sizes in bytes. */
export class Memory {
  readonly memory: WebAssembly.Memory;
  readonly maxBytes: number;
  /** gaps by address, never touching */
  #gaps: { start: number; bytes: number }[] = [];
  #sizes = new Map<number, number>();
  /** end of the memory that was ever handed out; beyond it lie the system's zeros */
  #touched = RESERVED;

  constructor(shared: boolean, maxBytes: number) {
    const maximum = Math.min(MAX_PAGES, Math.floor(maxBytes / PAGE));
    this.maxBytes = maximum * PAGE;
    this.memory = new WebAssembly.Memory({ initial: 1, maximum, shared });
    this.#gaps.push({ start: RESERVED, bytes: PAGE - RESERVED });
  }

  /** The bytes as they are now; stale after the next allocation. */
  get buffer(): ArrayBuffer {
    return this.memory.buffer as ArrayBuffer;
  }

  /** Address of a new block of zeros; throws BackendError with the numbers when it does not fit. */
  allocate(wanted: number, label: string): number {
    const bytes = Math.max(ALIGNMENT, Math.ceil(wanted / ALIGNMENT) * ALIGNMENT);
    let gap = this.#gaps.find((candidate) => candidate.bytes >= bytes);
    if (!gap) gap = this.#grow(bytes, label);
    const start = gap.start;
    gap.start += bytes;
    gap.bytes -= bytes;
    if (gap.bytes === 0) this.#gaps.splice(this.#gaps.indexOf(gap), 1);
    this.#sizes.set(start, bytes);
    if (start < this.#touched)
      new Uint8Array(this.buffer, start, Math.min(bytes, this.#touched - start)).fill(0);
    this.#touched = Math.max(this.#touched, start + bytes);
    return start;
  }

  free(start: number): void {
    const bytes = this.#sizes.get(start);
    if (bytes === undefined) return;
    this.#sizes.delete(start);
    this.#release(start, bytes);
  }

  #release(start: number, bytes: number): void {
    const at = this.#gaps.findIndex((gap) => gap.start > start);
    const place = at < 0 ? this.#gaps.length : at;
    const before = this.#gaps[place - 1];
    const after = this.#gaps[place];
    const joinsBefore = before !== undefined && before.start + before.bytes === start;
    const joinsAfter = after !== undefined && start + bytes === after.start;
    if (joinsBefore) {
      before.bytes += bytes;
      if (!joinsAfter) return;
      before.bytes += after.bytes;
      this.#gaps.splice(place, 1);
    } else if (joinsAfter) {
      after.start = start;
      after.bytes += bytes;
    } else this.#gaps.splice(place, 0, { start, bytes });
  }

  /** Grows until a gap at the end holds `bytes`. */
  #grow(bytes: number, label: string): { start: number; bytes: number } {
    const end = this.buffer.byteLength;
    const last = this.#gaps.at(-1);
    const free = last && last.start + last.bytes === end ? last.bytes : 0;
    const pages = Math.ceil((bytes - free) / PAGE);
    const refuse = (why: string): BackendError =>
      new BackendError(
        `No memory for ${label}: it needs ${mebibytes(bytes)}, ${mebibytes(end)} are in use and ${why}. ` +
          'Use fewer examples or features, or the WebGPU backend.',
      );
    if (end + pages * PAGE > this.maxBytes) throw refuse(`the limit is ${mebibytes(this.maxBytes)}`);
    // Some room beyond what is asked, so that many small arrays do not grow the memory one by one.
    const generous = Math.min(Math.max(pages, 16), (this.maxBytes - end) / PAGE);
    try {
      this.memory.grow(generous);
      this.#release(end, generous * PAGE);
    } catch {
      try {
        this.memory.grow(pages);
      } catch {
        throw refuse('the system gives no more');
      }
      this.#release(end, pages * PAGE);
    }
    return this.#gaps[this.#gaps.length - 1];
  }
}
