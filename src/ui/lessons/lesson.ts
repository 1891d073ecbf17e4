/** Where in the lab a step happens: the page with what is looked at there, and the settings of the form. */
export interface Place {
  /** A fragment such as "#/probe/what-if". */
  hash: string;
  /** A query such as "preset=nano"; left out where the settings stay as they are. */
  settings?: string;
}

/** How far the run on the Train page must be before the step has something to show. */
export interface Sign {
  steps: number | 'all';
}

/** A question that the step's reader can answer; every answer says why it is right or wrong. */
export interface Check {
  question: string;
  answers: readonly { text: string; right?: boolean; why: string }[];
}

export interface Step {
  title: string;
  /** Paragraphs; terms of the glossary open in them. */
  text: readonly string[];
  /** What there is to see. */
  look: string;
  place: Place;
  sign?: Sign;
  check: Check;
}

export interface Lesson {
  /** Part of the address of each of its steps. */
  id: string;
  title: string;
  goal: string;
  minutes: number;
  /** What must be at hand, in a sentence; left out where the lab is enough. */
  needs?: string;
  steps: readonly Step[];
  /** Questions for a sheet of paper, without one right answer. */
  discussion: readonly string[];
}

/** Address of a step, the first being 1. */
export function stepAddress(lesson: Lesson, step: number): string {
  return `#/lessons/${lesson.id}/${step + 1}`;
}
