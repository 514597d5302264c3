/**
 * Maximum flow and minimum cut between two terminals by incremental breadth-first search (Goldberg, Hed,
 * Kaplan, Tarjan and Werneck, "Maximum flows by incremental breadth-first search", 2011): the two search
 * trees and the adoption of orphans of Boykov and Kolmogorov (2004), but with trees that stay breadth-first,
 * so that every augmenting path is a shortest one. There are then O(nodes x arcs) of them, as with Edmonds
 * and Karp, whatever the capacities are and however they are rounded: the arc that limits a path is left with
 * exactly 0, and the proof looks at no other number.
 */

/** In `parent`: the node hangs on its terminal, or on nothing. */
const TERMINAL = -1;
const NONE = -2;

/** One graph, for many problems: capacities are set anew for each; nodes, edges and all memory stay. */
export class MaxFlow {
  /** arcs leaving node v: first[v] <= a < first[v + 1]; an edge is two arcs, each the reverse of the other */
  readonly #first: Uint32Array;
  readonly #head: Uint32Array;
  readonly #reverse: Uint32Array;
  readonly #arcOfEdge: Uint32Array;
  readonly #residual: Float64Array;
  /** what is left from the source to the node, or, negative, from the node to the sink */
  readonly #terminal: Float64Array;
  /** distance from the source of a node in its tree, minus that to the sink in the other one, 0 in neither */
  readonly #level: Int32Array;
  /** arc from a node to its parent, the flow's direction notwithstanding */
  readonly #parent: Int32Array;
  readonly #orphans: Uint32Array;
  #orphanCount = 0;
  readonly #source: SearchTree;
  readonly #sink: SearchTree;
  #flow = 0;

  /**
   * @param nodes their number, terminals not counted
   * @param edgeU one end of each edge, 0..nodes-1
   * @param edgeV the other one; edges may be parallel
   * @throws RangeError for an edge that leaves the graph or joins a node with itself
   */
  constructor(nodes: number, edgeU: Uint32Array, edgeV: Uint32Array) {
    const arcs = 2 * edgeU.length;
    this.#first = new Uint32Array(nodes + 1);
    this.#head = new Uint32Array(arcs);
    this.#reverse = new Uint32Array(arcs);
    this.#arcOfEdge = new Uint32Array(edgeU.length);
    this.#residual = new Float64Array(arcs);
    this.#terminal = new Float64Array(nodes);
    this.#level = new Int32Array(nodes);
    this.#parent = new Int32Array(nodes);
    this.#orphans = new Uint32Array(nodes);
    this.#source = new SearchTree(1, nodes);
    this.#sink = new SearchTree(-1, nodes);

    const first = this.#first;
    edgeU.forEach((u, e) => {
      const v = edgeV[e]!;
      if (u >= nodes || v >= nodes || u === v) {
        throw new RangeError(`Edge ${e} joins nodes ${u} and ${v} of ${nodes}`);
      }
      first[u + 1]!++;
      first[v + 1]!++;
    });
    for (let v = 0; v < nodes; v++) first[v + 1]! += first[v]!;
    const next = first.slice();
    edgeU.forEach((u, e) => {
      const v = edgeV[e]!;
      const [forth, back] = [next[u]!++, next[v]!++];
      this.#arcOfEdge[e] = forth;
      this.#head[forth] = v;
      this.#head[back] = u;
      this.#reverse[forth] = back;
      this.#reverse[back] = forth;
    });
  }

  /**
   * @param capacity of the arc from the source to the node or, negative, of that from the node to the sink.
   *   For both, give their difference: the lesser of the two always flows straight through.
   * @throws RangeError where it is not finite
   */
  setTerminal(node: number, capacity: number): void {
    if (!Number.isFinite(capacity))
      throw new RangeError(`The terminal capacity of node ${node} is ${capacity}`);
    this.#terminal[node] = capacity;
  }

  /**
   * @param uv capacity from the edge's U to its V
   * @param vu capacity from its V to its U
   * @throws RangeError where one is negative or not finite
   */
  setEdge(edge: number, uv: number, vu: number): void {
    if (!(uv >= 0 && vu >= 0 && uv + vu < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`The capacities of edge ${edge} are ${uv} and ${vu}`);
    }
    const arc = this.#arcOfEdge[edge]!;
    this.#residual[arc] = uv;
    this.#residual[this.#reverse[arc]!] = vu;
  }

  /** Returns the flow. Uses up the capacities: all of them are to be set anew before the next call. */
  solve(): number {
    this.#flow = 0;
    this.#plant();
    // S grows to its end even when T has nothing left to grow, since it is S that `onSourceSide` means
    while (this.#source.size > 0) {
      this.#grow(this.#source);
      this.#grow(this.#sink);
    }
    return this.#flow;
  }

  /** Whether the source still reaches the node: of the minimum cuts it is that with the fewest such nodes. */
  onSourceSide(node: number): boolean {
    return this.#level[node]! > 0;
  }

  #plant(): void {
    this.#source.clear();
    this.#sink.clear();
    for (let v = 0; v < this.#terminal.length; v++) {
      const sign = Math.sign(this.#terminal[v]!);
      this.#level[v] = sign;
      this.#parent[v] = sign === 0 ? NONE : TERMINAL;
      if (sign !== 0) (sign > 0 ? this.#source : this.#sink).add(v);
    }
  }

  /** Scans a tree's deepest level: free nodes join it a level deeper, one of the other tree means a path. */
  #grow(tree: SearchTree): void {
    const { sign } = tree;
    const at = sign * tree.depth;
    tree.growing = true;
    for (let i = 0; i < tree.size; i++) {
      const v = tree.frontier[i]!;
      const end = this.#first[v + 1]!;
      let arc = this.#first[v]!;
      // a path may take v off this level; if not, its arc may be open still, for another path or a free node
      while (arc < end && this.#level[v] === at) {
        const w = this.#head[arc]!;
        const out = sign > 0 ? arc : this.#reverse[arc]!;
        if (this.#residual[out]! > 0) {
          if (sign * this.#level[w]! < 0) {
            this.#augment(out);
            this.#adopt();
            continue;
          }
          if (this.#level[w] === 0) {
            this.#level[w] = at + sign;
            this.#parent[w] = this.#reverse[arc]!;
            tree.addNext(w);
          }
        }
        arc++;
      }
    }
    tree.deepen();
  }

  /** Sends what fits from the source over the bridge between the trees to the sink. */
  #augment(bridge: number): void {
    const residual = this.#residual;
    const tail = this.#head[this.#reverse[bridge]!]!;
    const head = this.#head[bridge]!;
    const amount = Math.min(residual[bridge]!, this.#room(tail, 1), this.#room(head, -1));
    residual[bridge]! -= amount;
    residual[this.#reverse[bridge]!]! += amount;
    this.#push(tail, 1, amount);
    this.#push(head, -1, amount);
    this.#flow += amount;
  }

  /** The least residual between a node and the terminal of its tree. */
  #room(node: number, sign: 1 | -1): number {
    let room = Number.POSITIVE_INFINITY;
    let v = node;
    for (let arc = this.#parent[v]!; arc !== TERMINAL; arc = this.#parent[v]!) {
      room = Math.min(room, this.#residual[sign > 0 ? this.#reverse[arc]! : arc]!);
      v = this.#head[arc]!;
    }
    return Math.min(room, Math.abs(this.#terminal[v]!));
  }

  /** Sends an amount along the path between a node and its terminal; nodes below a filled arc are orphans. */
  #push(node: number, sign: 1 | -1, amount: number): void {
    const residual = this.#residual;
    let v = node;
    for (let arc = this.#parent[v]!; arc !== TERMINAL; arc = this.#parent[v]!) {
      const along = sign > 0 ? this.#reverse[arc]! : arc;
      residual[along]! -= amount;
      residual[this.#reverse[along]!]! += amount;
      if (residual[along] === 0) this.#orphan(v);
      v = this.#head[arc]!;
    }
    this.#terminal[v]! -= sign * amount;
    if (this.#terminal[v] === 0) this.#orphan(v);
  }

  #orphan(node: number): void {
    this.#parent[node] = NONE;
    this.#orphans[this.#orphanCount++] = node;
  }

  /** Every orphan finds a parent as near to the terminal as there is, or leaves its tree. */
  #adopt(): void {
    while (this.#orphanCount > 0) {
      const v = this.#orphans[--this.#orphanCount]!;
      const tree = this.#level[v]! > 0 ? this.#source : this.#sink;
      const { sign } = tree;
      const before = sign * this.#level[v]!;
      let nearest = tree.deepest;
      for (let arc = this.#first[v]!; arc < this.#first[v + 1]! && nearest >= before; arc++) {
        const level = sign * this.#level[this.#head[arc]!]!;
        const into = sign > 0 ? this.#reverse[arc]! : arc;
        if (level > 0 && level < nearest && this.#residual[into]! > 0) {
          nearest = level;
          this.#parent[v] = arc;
        }
      }
      // a parent as near as the one before: v stays where it is, and so do its children
      if (nearest < before) continue;
      this.#abandonChildren(v);
      const found = this.#parent[v] !== NONE;
      this.#level[v] = found ? sign * (nearest + 1) : 0;
      if (found) tree.moved(v, nearest + 1);
    }
  }

  #abandonChildren(node: number): void {
    for (let arc = this.#first[node]!; arc < this.#first[node + 1]!; arc++) {
      const child = this.#head[arc]!;
      if (this.#parent[child] === this.#reverse[arc]!) this.#orphan(child);
    }
  }
}

/**
 * One of the two trees, as far as it is more than `level` and `parent`: its depth and the nodes of its
 * deepest level. Their distances from the terminal never fall, so a node comes to a level once at most, and
 * lists of all nodes suffice; nodes that have left a level since are found by their `level`.
 */
class SearchTree {
  /** 1 for the source's tree, -1 for the sink's */
  readonly sign: 1 | -1;
  depth = 1;
  /** during a scan of the deepest level there is one more, of which the nodes are in `#next` */
  growing = false;
  frontier: Uint32Array;
  size = 0;
  #next: Uint32Array;
  #nextSize = 0;

  constructor(sign: 1 | -1, nodes: number) {
    this.sign = sign;
    this.frontier = new Uint32Array(nodes);
    this.#next = new Uint32Array(nodes);
  }

  /** the level that new children may have at most: parents must be above it */
  get deepest(): number {
    return this.growing ? this.depth + 1 : this.depth;
  }

  clear(): void {
    this.depth = 1;
    this.size = 0;
  }

  add(node: number): void {
    this.frontier[this.size++] = node;
  }

  addNext(node: number): void {
    this.#next[this.#nextSize++] = node;
  }

  /** A node has been moved to another level. */
  moved(node: number, level: number): void {
    if (level === this.depth) this.add(node);
    else if (level > this.depth) this.addNext(node);
  }

  /** The level below the deepest is the deepest from now on. */
  deepen(): void {
    [this.frontier, this.#next] = [this.#next, this.frontier];
    this.size = this.#nextSize;
    this.#nextSize = 0;
    this.depth++;
    this.growing = false;
  }
}
