import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { loadsAgainIsolated } from './isolation.ts';
import { ExperimentState } from '../session/experiment.svelte.ts';
import { Imports } from '../data/imports.svelte.ts';
import { Lab } from '../session/lab.svelte.ts';
import { Workers } from '../session/workers.ts';

if (!(await loadsAgainIsolated())) showLab();

function showLab(): void {
  const lab = new Lab((onCrash) => new Workers(onCrash));
  const experiment = new ExperimentState();
  const imports = new Imports(lab);
  for (const failure of experiment.open(new URLSearchParams(location.search))) lab.tell(failure);
  lab.domain = experiment.config.domain;

  mount(App, { target: document.getElementById('app')!, props: { lab, experiment, imports } });
  // The page is there first; workers load behind it.
  setTimeout(() => void lab.open());
}
