import { describe, expect, it } from 'vitest';
import { PythonRandom } from './python-random.ts';

const times = <T>(n: number, draw: () => T): T[] => Array.from({ length: n }, draw);

// Every expected value below was printed by CPython 3.11.7 with the command beside it.
describe('PythonRandom', () => {
  it('gives random.randint', () => {
    // python3 -c "import random; random.seed(42); print([random.randint(51,100) for _ in range(12)])"
    const long = new PythonRandom(42);
    expect(times(12, () => long.randint(51, 100))).toEqual([91, 58, 52, 98, 68, 66, 65, 59, 98, 57, 94, 98]);
    // python3 -c "import random; random.seed(42); print([random.randint(5,50) for _ in range(12)])"
    const short = new PythonRandom(42);
    expect(times(12, () => short.randint(5, 50))).toEqual([45, 12, 6, 22, 20, 19, 13, 11, 48, 39, 10, 42]);
    // python3 -c "import random; random.seed(0); print([random.randint(0,9) for _ in range(12)])"
    const zero = new PythonRandom(0);
    expect(times(12, () => zero.randint(0, 9))).toEqual([6, 6, 0, 4, 8, 7, 6, 4, 7, 5, 9, 3]);
  });

  it('gives random.random and random.getrandbits', () => {
    // python3 -c "import random; random.seed(42); print([random.random() for _ in range(4)])"
    const a = new PythonRandom(42);
    expect(times(4, () => a.random())).toEqual([
      0.6394267984578837, 0.025010755222666936, 0.27502931836911926, 0.22321073814882275,
    ]);
    // python3 -c "import random; random.seed(42); print([random.getrandbits(32) for _ in range(4)])"
    const b = new PythonRandom(42);
    expect(times(4, () => b.getrandbits(32))).toEqual([2746317213, 478163327, 107420369, 3184935163]);
  });

  it('gives random.choice', () => {
    // python3 -c "import random; random.seed(42); print([random.choice('BKNQR') for _ in range(12)])"
    const random = new PythonRandom(42);
    expect(times(12, () => random.choice([...'BKNQR'])).join('')).toBe('BBNKKKBRBRQB');
    expect(() => random.choice([])).toThrow(RangeError);
  });

  it('gives random.shuffle', () => {
    // python3 -c "import random; random.seed(10); x=list(range(12)); random.shuffle(x); print(x)"
    const few = Array.from({ length: 12 }, (_, i) => i);
    new PythonRandom(10).shuffle(few);
    expect(few).toEqual([11, 8, 4, 2, 5, 3, 1, 10, 7, 6, 0, 9]);
    // The same of range(1000), then: print(x[:5], x[-5:], sum(i*v for i,v in enumerate(x)))
    const many = Uint32Array.from({ length: 1000 }, (_, i) => i);
    new PythonRandom(10).shuffle(many);
    expect([...many.slice(0, 5), ...many.slice(-5)]).toEqual([627, 752, 993, 423, 388, 591, 494, 439, 33, 585]);
    expect(many.reduce((sum, value, i) => sum + i * value, 0)).toBe(250269982);
  });

  it('goes on past the first block of 624 words', () => {
    // python3 -c "import random; random.seed(42); [random.random() for _ in range(1000)]; print(random.random(), random.getrandbits(1), random.getrandbits(5), random.randint(3,3))"
    const random = new PythonRandom(42);
    for (let i = 0; i < 1000; i++) random.random();
    expect([random.random(), random.getrandbits(1), random.getrandbits(5), random.randint(3, 3)]).toEqual([
      0.09935462460613032, 1, 11, 3,
    ]);
  });

  it('seeds from integers of one and two words', () => {
    // python3 -c "import random; random.seed(2**40+7); print([random.getrandbits(16) for _ in range(6)])"
    const wide = new PythonRandom(2 ** 40 + 7);
    expect(times(6, () => wide.getrandbits(16))).toEqual([40219, 48976, 53406, 61468, 61932, 41911]);
    // python3 -c "import random; random.seed(SEED); print(random.random())"
    expect(new PythonRandom(4294967295).random()).toBe(0.6353574441341173);
    expect(new PythonRandom(4294967296).random()).toBe(0.11299430095636409);
    expect(new PythonRandom(9007199254740991).random()).toBe(0.09425040007102303);
    expect(() => new PythonRandom(-1)).toThrow(RangeError);
    expect(() => new PythonRandom(0.5)).toThrow(RangeError);
  });
});
