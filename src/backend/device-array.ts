/** 'sum' is the widest float the machine adds in: float64 on WASM, float32 on WebGPU. */
export type ElementType = 'f32' | 'u32' | 'sum';

/** An array on the machine. Opaque: only its own backend looks inside. */
export interface DeviceArray {
  readonly label: string;
  readonly type: ElementType;
  readonly length: number;
}
