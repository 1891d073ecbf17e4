import type { StartModel } from '../../../workers/train/protocol.ts';
import type { Failure } from '../../base/result.ts';
import type { Services } from './workers.ts';

/** A model that a person has opened to train on from it. */
export interface OpenedStart extends StartModel {
  name: string;
  files: Map<string, Uint8Array>;
}

/** Models from files or an address that a run may start from, as long as the page is open. */
export class OpenedModels {
  list = $state.raw<readonly OpenedStart[]>([]);

  constructor(private readonly workers: Pick<Services, 'train' | 'guard'>) {}

  /** Opens a model as far as its settings; the failure says why no run of games can start from it. */
  async open(name: string, files: OpenedStart['files']): Promise<OpenedStart | Failure> {
    const read = await this.workers.guard(this.workers.train.readStart(name, files));
    if (!read.ok) return read.error;
    const opened = { ...read.value, name, files };
    this.list = [opened, ...this.list.filter(({ id }) => id !== opened.id)];
    return opened;
  }

  /** The files of the tokens that an opened model brought; undefined where it brought none. */
  tokensOf(id: string): OpenedStart['files'] | undefined {
    return this.list.find((model) => model.id === id)?.tokens?.files;
  }

  /** The files of a model that was opened; undefined where none of them has this id. */
  filesOf(id: string): OpenedStart['files'] | undefined {
    return this.list.find((model) => model.id === id)?.files;
  }
}
