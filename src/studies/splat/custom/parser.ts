import { lexemesOf, type Lexeme } from './lexemes.ts';
import { DEEPEST, type Comparison, type Problem, type Read, type Sign, type Tree } from './tree.ts';

const COMPARISONS: readonly string[] = ['=', '!=', '<', '<=', '>', '>='] satisfies Comparison[];

/**
 * The tree of a text (the grammar is in tree.ts). Ends on every text. Fails as `lexemesOf` does, and with `unexpected`,
 * `unfinished` or `too-deep`, at the first place where no question can go on like this.
 */
export function parseExpression(text: string): Read<Tree> {
  const lexemes = lexemesOf(text);
  if (!lexemes.ok) return lexemes;
  const parser = new Parser(lexemes.value);
  const tree = parser.whole();
  return parser.problem === null ? { ok: true, value: tree } : { ok: false, error: parser.problem };
}

/**
 * One method a line of the grammar. After the first problem it stands at the end, where every method returns without
 * reading on; an exception instead would be quicker to write, but input errors are values here.
 */
class Parser {
  problem: Problem | null = null;
  private at = 0;
  private depth = 0;

  constructor(private readonly lexemes: readonly Lexeme[]) {}

  whole(): Tree {
    const tree = this.expression();
    if (this.current.kind === 'end') return tree;
    const { kind, text } = this.current;
    if (kind === 'sign' && COMPARISONS.includes(text))
      return this.refuse('unexpected', 'One comparison has been made already; write "a < b and b < c".');
    if (kind === 'sign' && text === ')') return this.refuse('unexpected', 'There is no ( for this ).');
    return this.refuse('unexpected', `The question could end before ${this.found}; write a sign or a word between.`);
  }

  private expression(): Tree {
    return this.deeper(() => this.chain(['or'], () => this.chain(['and'], () => this.denied())));
  }

  private denied(): Tree {
    const { at } = this.current;
    if (!this.takes('keyword', 'not')) return this.compared();
    const of = this.deeper(() => this.denied());
    return { kind: 'signed', sign: 'not', of, at, end: of.end };
  }

  private compared(): Tree {
    const left = this.sum();
    const sign = COMPARISONS.find((candidate) => this.takes('sign', candidate));
    if (sign === undefined) return left;
    const right = this.sum();
    return { kind: 'joined', sign: sign as Comparison, left, right, at: left.at, end: right.end };
  }

  private sum(): Tree {
    return this.chain(['+', '-'], () => this.chain(['*'], () => this.signed()));
  }

  private signed(): Tree {
    const { at } = this.current;
    if (!this.takes('sign', '-')) return this.simple();
    const of = this.deeper(() => this.signed());
    return { kind: 'signed', sign: '-', of, at, end: of.end };
  }

  private simple(): Tree {
    const { kind, text, at, end } = this.current;
    switch (kind) {
      case 'number':
        this.at++;
        return { kind, value: Number(text), at, end };
      case 'text':
        this.at++;
        return { kind, value: text, at, end };
      case 'variable':
        this.at++;
        return { kind: 'name', name: text.trim(), quoted: true, at, end };
      case 'name':
        this.at++;
        return this.current.text === '(' && this.current.kind === 'sign'
          ? this.call(text, at)
          : { kind: 'name', name: text, quoted: false, at, end };
      case 'end':
        return this.refuse('unfinished', `${at === 0 ? 'Write' : 'Something is missing here:'} a value or a variable.`);
      default:
    }
    if (this.takes('sign', '(')) {
      const inner = this.expression();
      this.closes();
      return inner;
    }
    if (kind === 'keyword' && text === 'if') return this.choice();
    if (kind === 'keyword' && text === 'not')
      return this.refuse('unexpected', 'Put round brackets around "not" and what follows it.');
    return this.refuse('unexpected', `A value or a variable belongs here, before ${this.found}.`);
  }

  private call(name: string, at: number): Tree {
    const takes: Tree[] = [];
    this.at++;
    if (this.takes('sign', ')')) return { kind: 'call', name, takes, at, end: this.before.end };
    do takes.push(this.expression());
    while (this.takes('sign', ','));
    this.closes();
    return { kind: 'call', name, takes, at, end: this.before.end };
  }

  private choice(): Tree {
    const { at } = this.current;
    this.at++;
    const condition = this.expression();
    this.wants('then');
    const yes = this.expression();
    this.wants('else');
    const no = this.expression();
    return { kind: 'choice', condition, yes, no, at, end: no.end };
  }

  /** Operands with signs of one rank between them, joined from the left. */
  private chain(signs: readonly Sign[], operand: () => Tree): Tree {
    let left = operand();
    for (;;) {
      const sign = signs.find((candidate) => this.takes(/\w/.test(candidate) ? 'keyword' : 'sign', candidate));
      if (sign === undefined) return left;
      const right = operand();
      left = { kind: 'joined', sign, left, right, at: left.at, end: right.end };
    }
  }

  private deeper(parse: () => Tree): Tree {
    if (this.depth >= DEEPEST)
      return this.refuse('too-deep', `More than ${DEEPEST} things within one another; write it with fewer brackets.`);
    this.depth++;
    const tree = parse();
    this.depth--;
    return tree;
  }

  private wants(keyword: string): void {
    if (!this.takes('keyword', keyword))
      this.refuse(this.missing, `"${keyword}" belongs here, as in: if A then B else C.`);
  }

  private closes(): void {
    if (!this.takes('sign', ')')) this.refuse(this.missing, 'A ) is missing here for a ( before.');
  }

  private takes(kind: Lexeme['kind'], text: string): boolean {
    if (this.current.kind !== kind || this.current.text !== text) return false;
    this.at++;
    return true;
  }

  private refuse(code: string, message: string): Tree {
    const { at, end } = this.current;
    this.problem ??= { code, message, at, end };
    this.at = this.lexemes.length - 1;
    return { kind: 'number', value: 0, at, end };
  }

  private get current(): Lexeme {
    return this.lexemes[this.at];
  }

  private get before(): Lexeme {
    return this.lexemes[Math.max(0, this.at - 1)];
  }

  private get missing(): string {
    return this.current.kind === 'end' ? 'unfinished' : 'unexpected';
  }

  private get found(): string {
    return this.current.kind === 'end' ? 'the end' : `"${this.current.text.slice(0, 24)}"`;
  }
}
