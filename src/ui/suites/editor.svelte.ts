import { tick } from 'svelte';
import { checkSuite, type Place, type Problem } from '../../studies/syntaxgym/check-suite.ts';
import { conditionNames, regionNames, type Suite } from '../../studies/syntaxgym/suite.ts';

const REMEMBERED = 200;

/** A suite that is edited: the item on show, what is wrong with it, and the way back. */
export class SuiteEditor {
  suite = $state.raw<Suite>()!;
  /** Place of the item on show. */
  item = $state(0);
  #before = $state.raw<readonly Suite[]>([]);
  readonly #save: (suite: Suite) => void;

  conditions = $derived(conditionNames(this.suite));
  regions = $derived(regionNames(this.suite));
  problems = $derived(checkSuite(this.suite));
  shown = $derived(this.suite.items[Math.min(this.item, this.suite.items.length - 1)] ?? null);

  constructor(suite: Suite, save: (suite: Suite) => void) {
    this.suite = suite;
    this.#save = save;
  }

  get canUndo(): boolean {
    return this.#before.length > 0;
  }

  get last(): number {
    return this.suite.items.length - 1;
  }

  /** Takes a changed suite, and shows the item at a place where it is not the one on show. */
  change(suite: Suite, item = this.item): void {
    this.#before = [...this.#before.slice(-REMEMBERED), this.suite];
    this.#take(suite, item);
  }

  undo(): void {
    const suite = this.#before.at(-1);
    if (suite === undefined) return;
    this.#before = this.#before.slice(0, -1);
    this.#take(suite, this.item);
  }

  #take(suite: Suite, item: number): void {
    this.suite = suite;
    this.item = Math.max(0, Math.min(item, this.last));
    this.#save(suite);
  }

  /** Shows a place and puts the cursor there. */
  async go({ place }: Problem): Promise<void> {
    if (place.item !== undefined)
      this.item = Math.max(
        0,
        this.suite.items.findIndex(({ item_number }) => item_number === place.item),
      );
    await tick();
    const field = document.getElementById(this.idOf(place));
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
    if (place.character !== undefined && field instanceof HTMLTextAreaElement)
      field.setSelectionRange(place.character - 1, place.character);
  }

  /** The field that holds a place. */
  idOf({ prediction, item, condition, region }: Place): string {
    if (prediction !== undefined) return `suite-prediction-${prediction}`;
    if (item === undefined) return 'suite-name';
    const row = condition === undefined ? 0 : this.conditions.indexOf(condition);
    return `suite-content-${Math.max(0, row)}-${(region ?? 1) - 1}`;
  }
}
