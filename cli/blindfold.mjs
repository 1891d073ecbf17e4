#!/usr/bin/env node
// The command line is TypeScript, run as it is: what is tested is what runs.
import { register } from 'tsx/esm/api';

register();
const { buildKernels } = await import('../scripts/build-kernels.mjs');
await buildKernels();
// Help is coloured for people; citty asks this variable alone.
if (!process.stdout.isTTY) process.env.NO_COLOR = '1';
await import('./main.ts');
