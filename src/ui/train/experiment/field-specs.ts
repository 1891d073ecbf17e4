interface Common {
  /** As RunConfig names it: "model.layers". */
  path: string;
  label: string;
  /** A line of plain words; a field that has one takes a row of its own. */
  words?: string;
}

export interface NumberSpec extends Common {
  kind: 'number';
  min: number;
  max: number;
  step?: number;
  whole?: boolean;
  suffix?: string;
  /** What an empty field means, where it may be empty. */
  none?: string;
}

export interface SwitchSpec extends Common {
  kind: 'switch';
}

export interface ChoiceSpec extends Common {
  kind: 'choice';
  options: readonly { value: string; label: string }[];
}

export type FieldSpec = NumberSpec | SwitchSpec | ChoiceSpec;

/** A field of whole numbers; of `more`, what is not as usual. */
export const whole = (
  path: string,
  label: string,
  min: number,
  max: number,
  more: Partial<NumberSpec> = {},
): NumberSpec => ({
  kind: 'number',
  path,
  label,
  min,
  max,
  step: 1,
  whole: true,
  ...more,
});
export const real = (
  path: string,
  label: string,
  min: number,
  max: number,
  more: Partial<NumberSpec> = {},
): NumberSpec => ({
  kind: 'number',
  path,
  label,
  min,
  max,
  ...more,
});
