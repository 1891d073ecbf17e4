import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';

/** One candidate move and its worth in centipawns for the side to move; a mate in n plies of its own is 10000 - 10 n. */
export interface Candidate {
  move: string;
  score: number;
}

export interface Search {
  nodes: number;
  /** How many candidates to ask for. */
  width: number;
  /** Look at this move alone. */
  only?: string;
}

const MATE = 10_000;

/**
 * A chess engine that speaks UCI, run as a child process and asked one question at a time.
 * One thread and a count of nodes, never a time, so that the same question has the same answer on every machine.
 */
export class UciEngine {
  private text = '';
  private waiting: { last: string; resolve: (text: string) => void; reject: (error: Error) => void } | null = null;
  private width = 0;
  private ended: Error | null = null;
  name = '';

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    child.stdout.setEncoding('latin1');
    child.stdout.on('data', (chunk: string) => this.receive(chunk));
    child.on('error', (error) => this.end(error));
    child.on('exit', (code) => this.end(new Error(`the engine ended with code ${code}`)));
  }

  /** Starts the engine at `path` with one thread and the smallest hash table. */
  static async start(path: string): Promise<UciEngine> {
    const engine = new UciEngine(spawn(path, []));
    const hello = await engine.ask('uci\n', 'uciok');
    engine.name = /^id name (.*)$/m.exec(hello)?.[1].trim() ?? path;
    await engine.ask('setoption name Threads value 1\nsetoption name Hash value 1\nisready\n', 'readyok');
    return engine;
  }

  /** Forgets everything, so that a game does not depend on those before it. */
  async newGame(): Promise<void> {
    await this.ask('ucinewgame\nisready\n', 'readyok');
  }

  /** The best candidates after `moves` from the initial position, best first; none where the game is over. */
  async search(moves: readonly string[], search: Search): Promise<Candidate[]> {
    let command = '';
    if (search.width !== this.width) command += `setoption name MultiPV value ${search.width}\n`;
    this.width = search.width;
    command += moves.length ? `position startpos moves ${moves.join(' ')}\n` : 'position startpos\n';
    command += `go nodes ${search.nodes}${search.only ? ` searchmoves ${search.only}` : ''}\n`;
    return candidatesOf(await this.ask(command, 'bestmove'));
  }

  quit(): void {
    this.child.stdin.end('quit\n');
  }

  private ask(command: string, last: string): Promise<string> {
    if (this.ended) return Promise.reject(this.ended);
    return new Promise((resolve, reject) => {
      this.waiting = { last, resolve, reject };
      this.child.stdin.write(command);
    });
  }

  private receive(chunk: string): void {
    this.text += chunk;
    if (!this.waiting || !this.text.endsWith('\n')) return;
    const lastLine = this.text.lastIndexOf('\n', this.text.length - 2) + 1;
    if (!this.text.startsWith(this.waiting.last, lastLine)) return;
    const { resolve } = this.waiting;
    const text = this.text;
    this.waiting = null;
    this.text = '';
    resolve(text);
  }

  private end(error: Error): void {
    this.ended = error;
    this.waiting?.reject(error);
    this.waiting = null;
  }
}

/** The last complete group of `info ... multipv k score ... pv MOVE` lines. */
function candidatesOf(text: string): Candidate[] {
  let group: Candidate[] = [];
  for (const [, index, unit, value, move] of text.matchAll(/ multipv (\d+) score (cp|mate) (-?\d+) .*? pv (\S+)/g)) {
    if (index === '1') group = [];
    group.push({ move, score: unit === 'cp' ? Number(value) : Math.sign(Number(value)) * MATE - 10 * Number(value) });
  }
  return group;
}
