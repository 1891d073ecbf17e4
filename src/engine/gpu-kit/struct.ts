const fieldsOf =
  <T extends 'u32' | 'f32'>(type: T) =>
  <F extends string>(...names: F[]) =>
    Object.fromEntries(names.map((name) => [name, type])) as Record<F, T>;

/** Fields of one type, by their names. */
export const u32 = fieldsOf('u32');
export const f32 = fieldsOf('f32');

/** A WGSL struct of four-byte fields and the way to write it: one list of names for both sides. */
export class Struct<F extends string> {
  private readonly names: F[];

  constructor(
    readonly name: string,
    private readonly fields: Readonly<Record<F, 'u32' | 'f32'>>,
  ) {
    this.names = Object.keys(fields) as F[];
  }

  get bytes(): number {
    return 4 * this.names.length;
  }

  get declaration(): string {
    return `struct ${this.name} {\n${this.names.map((name) => `  ${name}: ${this.fields[name]},`).join('\n')}\n}`;
  }

  /** Records one after the other, as they lie in memory. */
  pack(records: readonly Readonly<Record<F, number>>[]): Uint32Array<ArrayBuffer> {
    const words = new Uint32Array(this.names.length * records.length);
    const reals = new Float32Array(words.buffer);
    records.forEach((record, i) =>
      this.names.forEach((name, j) => {
        const at = this.names.length * i + j;
        if (this.fields[name] === 'f32') reals[at] = record[name];
        else words[at] = record[name];
      }),
    );
    return words;
  }
}
