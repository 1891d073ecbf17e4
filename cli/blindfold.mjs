#!/usr/bin/env node
// The command line is TypeScript, run as it is: what is tested is what runs.
import { register } from 'tsx/esm/api';

register();
await import('./main.ts');
