import { defineConfig } from 'vitest/config';
import browser from './vitest.browser.config.ts';

/** `npm run test:kernels`: what takes an emulated card too long for `npm test`, in the same browser. */
export default defineConfig({ ...browser, test: { ...browser.test, include: ['src/**/*.kernels.ts'] } });
