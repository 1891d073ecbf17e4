#!/usr/bin/env node
// The command line is TypeScript, run as it is: what is tested is what runs.
import { existsSync } from 'node:fs';
import { register } from 'tsx/esm/api';

register();
// A checkout builds its kernels; an installed package comes with them, and without the compiler.
const kernels = new URL('../scripts/build-kernels.mjs', import.meta.url);
if (existsSync(kernels)) await (await import(kernels.href)).buildKernels();
// Help is coloured for people; citty asks this variable alone.
if (!process.stdout.isTTY) process.env.NO_COLOR = '1';
await import('./main.ts');
