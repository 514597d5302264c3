/** Maximum flow by shortest augmenting paths; `arcs` are from, to, capacity, at most one a pair. */
export function edmondsKarp(
  nodes: number,
  arcs: readonly (readonly [number, number, number])[],
  source: number,
  sink: number,
): number {
  const residual = Array.from({ length: nodes }, () => new Map<number, number>());
  const add = (u: number, v: number, amount: number) =>
    residual[u].set(v, (residual[u].get(v) ?? 0) + amount);
  for (const [u, v, capacity] of arcs) add(u, v, capacity);
  let flow = 0;
  for (;;) {
    const from = new Map([[source, source]]);
    for (const u of from.keys()) {
      for (const [v, room] of residual[u]) if (room > 0 && !from.has(v)) from.set(v, u);
    }
    if (!from.has(sink)) return flow;
    const path: [number, number][] = [];
    for (let v = sink; v !== source; v = from.get(v)!) path.push([from.get(v)!, v]);
    const amount = Math.min(...path.map(([u, v]) => residual[u].get(v)!));
    for (const [u, v] of path) {
      add(u, v, -amount);
      add(v, u, amount);
    }
    flow += amount;
  }
}
