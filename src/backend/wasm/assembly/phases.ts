// Every phase of every kernel by number. ../records.ts gives the same numbers by name.

import { extrapolate } from './accel';
import { averageWeights } from './average';
import { blockAscent } from './block';
import { denseDenseGradient, denseScores, packRows } from './dense';
import { direction } from './direction';
import { envelope } from './envelope';
import { denseGradient } from './gather';
import { jointStep, setShare, vertexChange } from './joint';
import { slot, SLOT_PHASE } from './record';
import { sparseGradient, sparseProduct } from './sparse';
import { step } from './step';
import { saveBest, setWeights, sumRows, sumWeights, update, updateSlots } from './vectors';

/** Runs items lo..hi-1 of a record's phase. */
export function runPhase(record: usize, lo: u32, hi: u32): void {
  switch (<u32>slot(record, SLOT_PHASE)) {
    case 0: packRows(record, lo, hi); break;
    case 1: denseScores(record, lo, hi); break;
    case 2: denseDenseGradient(record, lo, hi); break;
    case 3: denseGradient(record, lo, hi); break;
    case 4: sparseProduct(record, lo, hi); break;
    case 5: sparseGradient(record, lo, hi); break;
    case 6: direction(record, lo, hi); break;
    case 7: envelope(record, lo, hi); break;
    case 8: sumRows(record, lo, hi); break;
    case 9: sumWeights(record, lo, hi); break;
    case 10: step(record); break;
    case 11: saveBest(record, lo, hi); break;
    case 12: update(record, lo, hi); break;
    case 13: setWeights(record, lo, hi); break;
    case 14: updateSlots(record, lo, hi); break;
    case 15: for (let worker = lo; worker < hi; worker++) blockAscent(record, worker); break;
    case 16: extrapolate(record); break;
    case 17: vertexChange(record, lo, hi); break;
    case 18: jointStep(record); break;
    case 19: setShare(record); break;
    case 20: averageWeights(record); break;
    default: unreachable();
  }
}
