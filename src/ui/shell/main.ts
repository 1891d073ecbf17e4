import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { loadsAgainIsolated } from './isolation.ts';
import { ExperimentState } from '../session/experiment.svelte.ts';
import { Imports } from '../data/imports.svelte.ts';
import { Lab } from '../session/lab.svelte.ts';

if (!(await loadsAgainIsolated())) showLab();

function showLab(): void {
  const lab = new Lab();
  const experiment = new ExperimentState();
  const imports = new Imports(lab.workers, lab.games, lab.notices);
  for (const failure of experiment.open(new URLSearchParams(location.search))) lab.notices.report(failure);
  lab.answers.domain = experiment.config.domain;

  mount(App, { target: document.getElementById('app')!, props: { lab, experiment, imports } });
  // The page is there first; workers load behind it.
  setTimeout(() => void lab.open());
}
