import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { buildKernels } from './scripts/build-kernels.mjs';
import { pageHeaders, workerFileName } from './scripts/page-headers.ts';
import { serviceWorker } from './scripts/service-worker.ts';

/** How long plugins took is no news to somebody who wants to see the lab. */
const quiet = { checks: { pluginTimings: false } };

/**
 * All that the first page needs is one file of scripts and one of styles. The bundler by itself makes a chunk of whatever
 * two pages share, some seventy requests before the first question is answered.
 */
const first = { name: 'first', tags: ['$initial' as const] };

export default defineConfig({
  // Relative addresses let the built folder be served from any path, a school's web space included.
  base: './',
  plugins: [svelte(), pageHeaders(), serviceWorker(), { name: 'kernels', buildStart: buildKernels }],
  build: {
    target: 'es2023',
    assetsInlineLimit: 2048,
    reportCompressedSize: true,
    // scripts/budget.mjs has the limit of what is loaded first.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { ...quiet, output: { codeSplitting: { groups: [first] } } },
  },
  worker: { format: 'es', rolldownOptions: { ...quiet, output: { entryFileNames: workerFileName } } },
});
