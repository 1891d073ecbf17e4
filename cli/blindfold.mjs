#!/usr/bin/env node
import { existsSync } from 'node:fs';

// Help is coloured for people; citty asks this variable alone.
if (!process.stdout.isTTY) process.env.NO_COLOR = '1';
// A checkout builds what it runs; an installed package comes built, and without what builds it.
const scripts = new URL('../scripts/build-command-line.mjs', import.meta.url);
const program = existsSync(scripts)
  ? await (await import(scripts.href)).commandLineProgram()
  : new URL('./built/main.mjs', import.meta.url).href;
await import(program);
