import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { ExperimentState } from './state/experiment.svelte.ts';
import { Imports } from './state/imports.svelte.ts';
import { Lab } from './state/lab.svelte.ts';
import { Workers, type Job, type Services } from './state/workers.ts';

let services: (onCrash: (job: Job, words: string) => void) => Services = (onCrash) => new Workers(onCrash);
// A stand-in without workers, for looking at the page alone; the condition is false in a build, which drops it.
if (import.meta.env.DEV && new URLSearchParams(location.search).has('fake')) {
  const { FakeLab } = await import('./fake-lab.ts');
  services = () => new FakeLab();
}

const lab = new Lab(services);
const experiment = new ExperimentState();
const imports = new Imports(lab);
for (const failure of experiment.open(new URLSearchParams(location.search))) lab.tell(failure);

mount(App, { target: document.getElementById('app')!, props: { lab, experiment, imports } });
// The page is there first; workers load behind it.
setTimeout(() => void lab.open());
