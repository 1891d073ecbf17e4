import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { loadsAgainIsolated } from './isolation.ts';
import { settingsIn } from '../session/address.ts';
import { ExperimentState } from '../session/experiment.svelte.ts';
import { Imports } from '../data/imports.svelte.ts';
import { Lab } from '../session/lab.svelte.ts';

if (!(await loadsAgainIsolated())) showLab();

function showLab(): void {
  const lab = new Lab();
  const experiment = new ExperimentState();
  const imports = new Imports(lab.workers, lab.games, lab.notices);
  const settings = settingsIn(location);
  const failures = settings.ok ? experiment.open(settings.value, location.hash.includes('&')) : [settings.error];
  for (const failure of failures) lab.notices.report(failure);
  lab.answers.domain = experiment.config.domain;

  mount(App, { target: document.getElementById('app')!, props: { lab, experiment, imports } });
  // The page is there first; workers load behind it.
  setTimeout(() => void lab.open());
}
