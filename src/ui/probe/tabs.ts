import type { Component } from 'svelte';
import { storedStudies, studyNamed } from '../../studies/studies.ts';
import type { Lab } from '../session/lab.svelte.ts';
import BoardTab from './board-map/BoardTab.svelte';
import type { MeasureState } from './measure.svelte.ts';
import StateTab from './splat/StateTab.svelte';
import StudyTab from './study/StudyTab.svelte';
import WhatIfTab from './what-if/WhatIfTab.svelte';

/** A tab of the Probe page: a view of one study. */
export interface ProbeTab {
  value: string;
  label: string;
  study: string;
  component: Component<{ lab: Lab; measure: MeasureState; study: string }>;
}

/** Views of studies whose answers are looked at one by one and not kept. */
const VIEWS: readonly ProbeTab[] = [
  { value: 'board', label: 'Board', study: 'board-map', component: BoardTab },
  { value: 'what-if', label: 'What if', study: 'what-if', component: WhatIfTab },
  { value: 'state', label: 'State', study: 'state-map', component: StateTab },
];

/** Whether there is a tab of this name for any model. */
export function isTab(name: string): boolean {
  return [...VIEWS.map(({ value }) => value), ...storedStudies().map((study) => study.name)].includes(name);
}

/** The tabs for a model: its first study, what can be looked at, then every other study that can ask it. */
export function tabsOf(model: { domain: string; notation: string }): ProbeTab[] {
  const [first, ...others] = storedStudies()
    .filter((study) => study.appliesTo(model))
    .map(({ name, title }) => ({ value: name, label: title, study: name, component: StudyTab }));
  const views = VIEWS.filter(({ study }) => {
    const found = studyNamed(study);
    return found.ok && found.value.appliesTo(model);
  });
  return [...(first ? [first] : []), ...views, ...others];
}
