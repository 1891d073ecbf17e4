import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { buildKernels } from './scripts/build-kernels.mjs';
import { pageHeaders, workerFileName } from './scripts/page-headers.ts';
import { serviceWorker } from './scripts/service-worker.ts';

/** How long plugins took is no news to somebody who wants to see the lab. */
const quiet = { checks: { pluginTimings: false } };

export default defineConfig({
  // Relative addresses let the built folder be served from any path, a school's web space included.
  base: './',
  plugins: [svelte(), pageHeaders(), serviceWorker(), { name: 'kernels', buildStart: buildKernels }],
  build: {
    target: 'es2023',
    assetsInlineLimit: 2048,
    reportCompressedSize: true,
    rolldownOptions: quiet,
  },
  worker: { format: 'es', rolldownOptions: { ...quiet, output: { entryFileNames: workerFileName } } },
});
