import { defineConfig } from '@playwright/test';
import { chromiumFlags, findChromium } from './scripts/chromium.mjs';

const port = Number(process.env.E2E_PORT ?? 4179);

/** End to end on the built page, as a newcomer gets it. */
export default defineConfig({
  testDir: 'e2e',
  timeout: 600_000,
  // The tests share their cores with others: what takes a second alone may take thirty, and a longer wait costs nothing.
  expect: { timeout: 180_000 },
  // `npm test` names what passed at the second try alone: such a test has found a race, or needs a better wait.
  retries: 1,
  workers: 2,
  // Long files would leave one of the two workers idle at the end.
  fullyParallel: true,
  reporter: [['list'], ['json']],
  use: {
    baseURL: `http://localhost:${port}/`,
    // Tests that are not about it see each request, and share no copies of the lab.
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 720 },
    launchOptions: {
      executablePath: findChromium() ?? undefined,
      // Pages are drawn by the processor itself: an emulated graphics card takes more of it.
      args: [...chromiumFlags, '--disable-gpu-compositing'],
    },
    // Traces take pictures of the page all the while, a good part of what its tests take; --trace on asks for them.
    trace: 'off',
  },
  webServer: { command: `npx vite preview --port ${port} --strictPort`, port, reuseExistingServer: false },
});
