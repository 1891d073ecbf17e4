import { defineConfig } from '@playwright/test';
import { chromiumFlags, findChromium } from './scripts/chromium.mjs';

const port = 4179;

/** End to end on the built page, as a newcomer gets it. */
export default defineConfig({
  testDir: 'e2e',
  timeout: 180_000,
  workers: 1,
  reporter: [['list'], ['json']],
  use: {
    baseURL: `http://localhost:${port}/`,
    viewport: { width: 1280, height: 720 },
    launchOptions: { executablePath: findChromium() ?? undefined, args: chromiumFlags },
    trace: 'retain-on-failure',
  },
  webServer: { command: `npx vite preview --port ${port} --strictPort`, port, reuseExistingServer: false },
});
