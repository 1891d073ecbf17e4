/**
 * Finds how far a state is from the nearest of many (Demeter and Downey 2021, section 6.2): the distance of two states is
 * the number of variables in which they differ. A state is [variables] small integers, the places of its values in the
 * variables' lists.
 *
 * Eight variables of at most 15 values, four of at most 255, or two of more, share a 32-bit word, so that a word of two
 * states is compared at once; a state that is already too far is left at that word. States are sorted by their distance
 * from one fixed state, the pivot: by the triangle inequality no state whose distance from the pivot differs from the
 * query's by d is nearer than d, so the search goes outward from the query's own distance and ends where that alone is
 * too far. Hashing of parts was rejected: it finds near neighbours at once, but a chess state's nearest is often ten
 * squares away, and by then some part of a few squares is shared with nearly every state.
 */
export class StateIndex {
  readonly size: number;
  private readonly perWord: number;
  private readonly words: number;
  /** [size, words] sorted by the distance from the pivot. */
  private readonly packed: Int32Array;
  /** Where the states at each distance from the pivot begin; [variables + 2]. */
  private readonly starts: Uint32Array;
  private readonly pivot: Uint16Array;

  /**
   * @param states [n, variables] row-major values
   * @param variables how many variables a state has
   */
  constructor(
    states: Uint16Array,
    private readonly variables: number,
  ) {
    const many = states.length / variables;
    if (!Number.isInteger(many))
      throw new RangeError(`${states.length} values make no states of ${variables} variables`);
    const largest = states.reduce((most, value) => Math.max(most, value), 0);
    this.perWord = largest < 15 ? 8 : largest < 255 ? 4 : 2;
    this.words = Math.ceil(variables / this.perWord);
    this.pivot = commonest(states, variables);

    const distances = new Uint16Array(many);
    this.starts = new Uint32Array(variables + 2);
    for (let i = 0; i < many; i++) {
      distances[i] = differing(states, i * variables, this.pivot, variables);
      this.starts[distances[i] + 1]++;
    }
    for (let d = 1; d < this.starts.length; d++) this.starts[d] += this.starts[d - 1];
    const next = this.starts.slice();
    this.packed = new Int32Array(many * this.words);
    for (let i = 0; i < many; i++) this.pack(states, i * variables, this.packed, next[distances[i]]++ * this.words);
    this.size = many;
  }

  /** How many variables of the nearest state differ from `state` [variables]; null where there are no states. */
  nearest(state: Uint16Array): number | null {
    if (this.size === 0) return null;
    const query = new Int32Array(this.words);
    this.pack(state, 0, query, 0);
    const own = differing(state, 0, this.pivot, this.variables);
    let best = this.variables + 1;
    for (let away = 0; away < best && away <= this.variables; away++) {
      if (own - away >= 0) best = this.search(query, own - away, best);
      if (away > 0 && away < best && own + away <= this.variables) best = this.search(query, own + away, best);
    }
    return best;
  }

  /** The least of `best` and the distances to the states so far from the pivot. */
  private search(query: Int32Array, fromPivot: number, best: number): number {
    const { packed, words, perWord } = this;
    const end = this.starts[fromPivot + 1] * words;
    for (let row = this.starts[fromPivot] * words; row < end && best > 0; row += words) {
      let sum = 0;
      for (let word = 0; word < words && sum < best; word++) {
        let bits = packed[row + word] ^ query[word];
        if (perWord === 2) bits |= bits >>> 8;
        if (perWord < 8) bits |= bits >>> 4;
        bits |= bits >>> 2;
        bits |= bits >>> 1;
        // Eight differing variables add up to 8, which four bits hold.
        if (perWord === 8) sum += Math.imul(bits & 0x11111111, 0x11111111) >>> 28;
        else if (perWord === 4) sum += Math.imul(bits & 0x01010101, 0x01010101) >>> 24;
        else sum += Math.imul(bits & 0x00010001, 0x00010001) >>> 16;
      }
      if (sum < best) best = sum;
    }
    return best;
  }

  private pack(states: Uint16Array, from: number, into: Int32Array, at: number): void {
    const bits = 32 / this.perWord;
    // A query may hold a value too large for its bits, which no state has; the largest, which none has either, stands for it.
    const most = 2 ** bits - 1;
    for (let v = 0; v < this.variables; v++)
      into[at + ((v / this.perWord) | 0)] |= Math.min(states[from + v], most) << ((v % this.perWord) * bits);
  }
}

/** Variables in which a state of a list differs from another. */
function differing(states: Uint16Array, from: number, other: Uint16Array, variables: number): number {
  let sum = 0;
  for (let v = 0; v < variables; v++) if (states[from + v] !== other[v]) sum++;
  return sum;
}

/** The commonest value of each variable: far from the edges of the states, so that their distances from it spread. */
function commonest(states: Uint16Array, variables: number): Uint16Array {
  const values = 1 + states.reduce((most, value) => Math.max(most, value), 0);
  const counts = new Uint32Array(variables * values);
  for (let i = 0; i < states.length; i++) counts[(i % variables) * values + states[i]]++;
  return Uint16Array.from({ length: variables }, (_, v) => {
    const mine = counts.subarray(v * values, (v + 1) * values);
    return mine.indexOf(mine.reduce((most, count) => Math.max(most, count), 0));
  });
}
