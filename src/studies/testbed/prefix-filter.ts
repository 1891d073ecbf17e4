/**
 * Distinct game prefixes in the order they were added, and which of them open a game seen later. The
 * prefixes of half a million games would not fit in memory, those of the candidates do: games to avoid
 * stream past, a hash of every prefix of theirs is rolled along, and a hit is compared move by move, so
 * that a collision can do no harm.
 */
export class PrefixFilter {
  private readonly games: Uint16Array[] = [];
  private readonly avoided: boolean[] = [];
  /** Candidates by the hash of their prefix. */
  private readonly byHash = new Map<number, number[]>();
  /** One byte for each low part of a hash: answers "no" nearly always, much faster than the map. */
  private readonly seen = new Uint8Array(1 << 20);
  private shortest = Infinity;
  private longest = 0;

  /** Number of distinct prefixes. */
  get length(): number {
    return this.games.length;
  }

  /** Adds the first `size` moves of a game, with the move after them, unless they are here already. */
  add(game: Uint16Array, size: number): void {
    let hash = 0;
    for (let ply = 0; ply < size; ply++) hash = roll(hash, game[ply]);
    const same = this.byHash.get(hash) ?? [];
    if (same.some((i) => this.games[i].length === size + 1 && opens(this.games[i], game))) return;
    this.byHash.set(hash, [...same, this.games.length]);
    this.seen[hash & 0xfffff] = 1;
    this.games.push(game.slice(0, size + 1));
    this.avoided.push(false);
    this.shortest = Math.min(this.shortest, size);
    this.longest = Math.max(this.longest, size);
  }

  /** Drops every candidate whose prefix opens this game. */
  avoid(game: Uint16Array): void {
    let hash = 0;
    const end = Math.min(game.length, this.longest);
    for (let ply = 0; ply < end; ply++) {
      hash = roll(hash, game[ply]);
      if (ply + 1 < this.shortest || this.seen[hash & 0xfffff] === 0) continue;
      for (const i of this.byHash.get(hash) ?? [])
        if (this.games[i].length === ply + 2 && opens(this.games[i], game)) this.avoided[i] = true;
    }
  }

  /** What is left: each prefix with the one move after it, as added. */
  kept(): Uint16Array[] {
    return this.games.filter((_, i) => !this.avoided[i]);
  }
}

function roll(hash: number, move: number): number {
  const mixed = Math.imul(hash ^ move, 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) | 0;
}

/** Whether all moves of a candidate but its last open the game. */
function opens(candidate: Uint16Array, game: Uint16Array): boolean {
  for (let ply = 0; ply < candidate.length - 1; ply++) if (candidate[ply] !== game[ply]) return false;
  return true;
}
