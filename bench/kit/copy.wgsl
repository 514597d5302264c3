// Peak memory traffic: each thread reads and writes 16 bytes once.
@group(0) @binding(0) var<storage, read_write> source: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> to: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = id.y * groups.x * 256u + id.x;
  if (thread < arrayLength(&to)) {
    to[thread] = source[thread];
  }
}
