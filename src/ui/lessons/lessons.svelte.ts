import type { ExperimentState } from '../session/experiment/experiment.svelte.ts';
import { keep, kept, keptJson } from '../session/kept.ts';
import type { RunState } from '../session/runs/run.svelte.ts';
import type { Lesson, Place, Sign } from './lesson.ts';

/** In this tab, so that a reload goes on where it was. */
const HERE = 'blindfold.lesson';
/** On this device: the answers chosen, by lesson and step. */
const ANSWERS = 'blindfold.lesson-answers';

/** The lesson that is being taken, its step, and what was answered. */
export class LessonState {
  lesson = $state.raw<Lesson | null>(null);
  step = $state(0);
  /** Chosen answers by "lesson/step". */
  answers = $state.raw<Readonly<Record<string, number>>>({});
  /** Settles once the step of before the reload, if any, is back. */
  readonly restored: Promise<void>;

  constructor(
    private readonly experiment: Pick<ExperimentState, 'open'>,
    private readonly run: Pick<RunState, 'active' | 'status' | 'step'>,
  ) {
    this.answers = storedAnswers();
    this.restored = this.#restore();
  }

  get current() {
    return this.lesson?.steps[this.step] ?? null;
  }

  get chosen(): number | null {
    return this.lesson ? (this.answers[key(this.lesson, this.step)] ?? null) : null;
  }

  /** Opens a step and goes to where it happens, with the settings of the step or of the last one before it that has some. */
  async open(id: string, step = ''): Promise<boolean> {
    const found = await stepNamed(id, step);
    if (!found) return false;
    const { steps } = found.lesson;
    const settings = steps.slice(0, found.step + 1).findLast(({ place }) => place.settings !== undefined)
      ?.place.settings;
    this.#enter(found.lesson, found.step);
    this.#go({ hash: steps[found.step].place.hash, settings });
    return true;
  }

  /** Goes on to the next step, or back. */
  move(by: 1 | -1): void {
    const { lesson } = this;
    const step = this.step + by;
    if (!lesson || !(step in lesson.steps)) return;
    this.#enter(lesson, step);
    this.#go(lesson.steps[step].place);
  }

  /** To where the step happens, after one has looked elsewhere. */
  comeBack(): void {
    if (this.current) this.#go({ hash: this.current.place.hash });
  }

  leave(): void {
    this.lesson = null;
    keep(HERE, null, 'sessionStorage');
  }

  answer(index: number): void {
    if (!this.lesson) return;
    this.answers = { ...this.answers, [key(this.lesson, this.step)]: index };
    keep(ANSWERS, JSON.stringify(this.answers));
  }

  /** How many checks of a lesson were answered rightly. */
  right(lesson: Lesson): number {
    return lesson.steps.filter(({ check }, step) => check.answers[this.answers[key(lesson, step)]]?.right).length;
  }

  /** Whether the run is as far as a step needs it. */
  reached({ steps }: Sign): boolean {
    const { status, step } = this.run;
    const over = status === 'finished' || status === 'stopped';
    return steps === 'all' ? over : (status === 'running' || status === 'paused' || over) && step >= steps;
  }

  async #restore(): Promise<void> {
    const here = kept(HERE, 'sessionStorage');
    if (!here) return;
    const [id, step] = here.split('/');
    const found = await stepNamed(id, step);
    if (found && !this.lesson) ({ lesson: this.lesson, step: this.step } = found);
  }

  #enter(lesson: Lesson, step: number): void {
    this.lesson = lesson;
    this.step = step;
    keep(HERE, `${lesson.id}/${step + 1}`, 'sessionStorage');
  }

  /** A run that goes on keeps its settings. */
  #go({ hash, settings }: Place): void {
    if (settings !== undefined && !this.run.active) this.experiment.open(new URLSearchParams(settings));
    location.hash = hash;
  }
}

/** The texts of the lessons are loaded when one is taken. */
async function stepNamed(id: string, step = ''): Promise<{ lesson: Lesson; step: number } | null> {
  return (await import('./lessons.ts')).stepAt(id, step);
}

function key(lesson: Lesson, step: number): string {
  return `${lesson.id}/${step + 1}`;
}

function storedAnswers(): Record<string, number> {
  const found = keptJson(ANSWERS) ?? {};
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, number] => Number.isInteger(entry[1])),
  );
}
