import { getWebGPUDevice, init, numpy } from '@jax-js/jax';
import type { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-webgpu';
import type { Backend } from '../../src/backend/backend.ts';
import { openWebgpuBackend } from '../../src/backend/webgpu/backend.ts';
import { callsOf, type KernelShape, type MadeUpData } from '../lib/kernel-calls.ts';

/** A product of two row-major matrices; with `transposed` the left one is stored k x n and used as n x k. */
export interface Product {
  readonly title: string;
  readonly kernel: 'scores' | 'dense-gradient' | 'gradient';
  readonly left: Float32Array;
  readonly leftShape: readonly [number, number];
  readonly transposed: boolean;
  readonly right: Float32Array;
  readonly rightShape: readonly [number, number];
}

/** A product made ready on one library's device. */
export interface Ready {
  /** Settles when it was computed that many times over. */
  repeat(times: number): Promise<void>;
  /** computes it once more; rows x columns, without padding */
  result(): Promise<ArrayLike<number>>;
  free(): void;
}

export interface Contestant {
  readonly name: string;
  prepare(product: Product): Promise<Ready>;
}

/** Dualgap's own kernel; its columns are padded to a multiple of 4 classes, and cut off again in the result. */
export async function dualgap(
  shape: KernelShape,
  data: MadeUpData,
): Promise<Contestant & { readonly backend: Backend }> {
  const backend = await openWebgpuBackend(navigator.gpu);
  const calls = callsOf(backend, shape, data);
  return {
    name: 'Dualgap',
    backend,
    async prepare({ kernel, leftShape, rightShape, transposed }) {
      const { call } = calls.find((one) => one.call.kernel === kernel)!;
      if (call.kernel !== 'scores' && call.kernel !== 'dense-gradient' && call.kernel !== 'gradient') {
        throw new Error('unreachable');
      }
      const plan = await backend.plan([call]);
      const target = call.kernel === 'scores' ? call.s : call.g;
      return {
        repeat: async (times) => void (await backend.run(plan, times)),
        async result() {
          await backend.run(plan, 1);
          const padded = await backend.read(target);
          const rows = leftShape[transposed ? 1 : 0];
          const cols = rightShape[1];
          return Float32Array.from(
            { length: rows * cols },
            (_, e) => padded[Math.floor(e / cols) * call.stride + (e % cols)],
          );
        },
        free() {},
      };
    },
  };
}

/** matMul of TensorFlow.js on its WebGPU backend. */
export async function tensorflow(): Promise<Contestant> {
  await tf.setBackend('webgpu');
  await tf.ready();
  const backend = tf.backend() as WebGPUBackend;
  return {
    name: 'TensorFlow.js',
    async prepare({ left, leftShape, right, rightShape, transposed }) {
      const a = tf.tensor2d(left, [...leftShape]);
      const b = tf.tensor2d(right, [...rightShape]);
      return {
        async repeat(times) {
          for (let k = 0; k < times; k++) tf.matMul(a, b, transposed).dispose();
          // submitQueue alone submits an open pass, which is an error
          backend.endComputePassEncoder();
          backend.submitQueue();
          await backend.device.queue.onSubmittedWorkDone();
        },
        async result() {
          const product = tf.matMul(a, b, transposed);
          const values = await product.data();
          product.dispose();
          return values;
        },
        free: () => tf.dispose([a, b]),
      };
    },
  };
}

/** matmul of jax-js on WebGPU. */
export async function jax(): Promise<Contestant> {
  await init('webgpu');
  const device = getWebGPUDevice();
  return {
    name: 'jax-js',
    async prepare({ left, leftShape, right, rightShape, transposed }) {
      const matrix = (values: Float32Array, shape: readonly [number, number]) =>
        numpy.array(values as Float32Array<ArrayBuffer>, { shape: [...shape], device: 'webgpu' });
      const a = matrix(left, leftShape);
      const b = matrix(right, rightShape);
      const product = () => numpy.matmul(transposed ? numpy.transpose(a.ref) : a.ref, b.ref);
      return {
        async repeat(times) {
          // what nobody asks for is never computed; a buffer asked for is submitted, but not waited for
          for (let k = 0; k < times; k++) await product().gpuBuffer();
          await device.queue.onSubmittedWorkDone();
        },
        result: async () => (await product().data()) as Float32Array,
        free() {
          a.dispose();
          b.dispose();
        },
      };
    },
  };
}
