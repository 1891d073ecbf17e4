import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { loadsAgain } from './installation.ts';
import { OfflineCopy } from './offline.svelte.ts';
import { settingsIn } from '../session/experiment/address.ts';
import { ExperimentState } from '../session/experiment/experiment.svelte.ts';
import { Imports } from '../data/imports.svelte.ts';
import { Lab } from '../session/lab.svelte.ts';

/** The copy for later must not slow the first answers down. */
const STORE_AFTER_MS = 3000;

if (!(await loadsAgain())) showLab();

function showLab(): void {
  const lab = new Lab();
  const experiment = new ExperimentState();
  const imports = new Imports(lab.workers, lab.games, lab.notices);
  const offline = new OfflineCopy();
  const settings = settingsIn(location);
  const failures = settings.ok ? experiment.open(settings.value, location.hash.includes('&')) : [settings.error];
  for (const failure of failures) lab.notices.report(failure);
  lab.answers.domain = experiment.config.domain;

  mount(App, { target: document.getElementById('app')!, props: { lab, experiment, imports, offline } });
  // The page is there first; workers load behind it.
  setTimeout(() => void lab.open());
  // What the page needs first has the line for itself.
  setTimeout(() => void offline.store(), STORE_AFTER_MS);
}
