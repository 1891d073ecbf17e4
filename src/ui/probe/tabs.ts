import type { Component } from 'svelte';
import { keptStudies, studyNamed } from '../../studies/studies.ts';
import type { Lab } from '../session/lab.svelte.ts';
import BigbenchTab from './bigbench/BigbenchTab.svelte';
import BoardTab from './board-map/BoardTab.svelte';
import type { MeasureState } from './measure.svelte.ts';
import SoundnessTab from './soundness/SoundnessTab.svelte';
import AnswersTab from './splat/AnswersTab.svelte';
import MassTab from './splat/MassTab.svelte';
import MemoryTab from './splat/MemoryTab.svelte';
import SplatScoresTab from './splat/SplatScoresTab.svelte';
import StateTab from './splat/StateTab.svelte';
import StudyTab from './study/StudyTab.svelte';
import ErrorsTab from './testbed/ErrorsTab.svelte';
import ScoresTab from './testbed/ScoresTab.svelte';
import WhatIfTab from './what-if/WhatIfTab.svelte';

/** A tab of the Probe page: one view of what a study, or several, found. */
export interface ProbeTab {
  value: string;
  label: string;
  /** The studies that it draws, the first of which says which models have the tab. */
  studies: readonly string[];
  component: Component<{ lab: Lab; measure: MeasureState; study: string }>;
}

/** Tabs made for their study, in the page's order. */
const MADE: readonly ProbeTab[] = [
  { value: 'scores', label: 'Scores', studies: ['testbed'], component: ScoresTab },
  { value: 'errors', label: 'Errors', studies: ['testbed'], component: ErrorsTab },
  { value: 'board', label: 'Board', studies: ['board-map'], component: BoardTab },
  { value: 'what-if', label: 'What if', studies: ['what-if'], component: WhatIfTab },
  {
    value: 'soundness',
    label: 'Soundness',
    studies: ['soundness', 'self-play', 'equivalence'],
    component: SoundnessTab,
  },
  { value: 'bigbench', label: 'BIG-bench', studies: ['bigbench'], component: BigbenchTab },
  { value: 'splat-scores', label: 'Scores', studies: ['splat'], component: SplatScoresTab },
  { value: 'splat-answers', label: 'Answers', studies: ['splat'], component: AnswersTab },
  { value: 'splat-mass', label: 'Mass', studies: ['splat'], component: MassTab },
  { value: 'splat-memory', label: 'Memory', studies: ['splat'], component: MemoryTab },
  { value: 'state', label: 'State', studies: ['state-map'], component: StateTab },
];

/** The tabs for a model: those made for their study, then one drawn from its contract for every other study. */
export function tabsOf(model: { domain: string; notation: string }): ProbeTab[] {
  const applies = (name: string): boolean => {
    const study = studyNamed(name);
    return study.ok && study.value.appliesTo(model);
  };
  const made = MADE.filter(({ studies }) => applies(studies[0]));
  const drawn = new Set(MADE.flatMap(({ studies }) => studies));
  const others = keptStudies().filter((study) => !drawn.has(study.name) && study.appliesTo(model));
  return [
    ...made,
    ...others.map(({ name, title }) => ({ value: name, label: title, studies: [name], component: StudyTab })),
  ];
}
