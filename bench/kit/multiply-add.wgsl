// Peak arithmetic: eight independent sums of four numbers a thread, 512 fused multiply-adds each, no memory until the end.
@group(0) @binding(0) var<storage, read_write> unused: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = id.y * groups.x * 256u + id.x;
  // unknown to the compiler, and such that the sums neither vanish nor overflow
  let factor = vec4f(0.999 + f32(thread % 7u) * 1e-5);
  let shift = unused[0] * 1e-30 + vec4f(1e-3);
  var a = vec4f(0.1);
  var b = vec4f(0.2);
  var c = vec4f(0.3);
  var d = vec4f(0.4);
  var e = vec4f(0.5);
  var f = vec4f(0.6);
  var g = vec4f(0.7);
  var h = vec4f(0.8);
  for (var k = 0u; k < 512u; k++) {
    a = fma(a, factor, shift);
    b = fma(b, factor, shift);
    c = fma(c, factor, shift);
    d = fma(d, factor, shift);
    e = fma(e, factor, shift);
    f = fma(f, factor, shift);
    g = fma(g, factor, shift);
    h = fma(h, factor, shift);
  }
  if (thread < arrayLength(&out)) {
    out[thread] = a + b + c + d + e + f + g + h;
  }
}
