import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs';
import { isolation } from '../../scripts/page-headers.ts';
import type { Request } from '../run-side.ts';
import { NotHere } from '../side.ts';
import { understood, type Line } from './process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A page of its own in a Chromium of its own, served by Vite with the headers that give it shared memory (threads).
 * Without a real GPU its WebGPU is SwiftShader's.
 */
export async function openPage(name: string): Promise<Line> {
  const executablePath = findChromium();
  if (executablePath === null) throw new NotHere('no Chromium is installed (npm test fetches one)');
  const { createServer } = await import('vite');
  const { chromium } = await import('playwright-core');
  const server = await createServer({
    root,
    configFile: false,
    cacheDir: `${root}.cache/bench`,
    logLevel: 'error',
    server: { headers: isolation, port: 0, host: '127.0.0.1', hmr: false, watch: null },
    // jax-js loads its own backends by address; TF.js' gradients must see the same core as the page.
    optimizeDeps: {
      noDiscovery: true,
      include: [
        '@jax-js/jax',
        '@tensorflow/tfjs-core',
        '@tensorflow/tfjs-core/dist/register_all_gradients.js',
        '@tensorflow/tfjs-backend-wasm',
        '@tensorflow/tfjs-backend-webgpu',
        'valibot',
      ],
    },
  });
  await server.listen();
  const { port } = server.httpServer!.address() as AddressInfo;
  const card = existsSync('/dev/nvidia0') || existsSync('/dev/dri/renderD128');
  const flags = chromiumFlags.filter((flag: string) => !card || !flag.includes('swiftshader'));
  const browser = await chromium.launch({
    executablePath,
    // The stack as sides in Node have it.
    args: [
      '--js-flags=--stack-size=3900',
      ...(card ? [...flags, '--enable-features=Vulkan', '--use-angle=vulkan'] : flags),
    ],
  });
  const page = await browser.newPage();
  let complaints = '';
  page.on('pageerror', (error) => (complaints += `${error.message}\n`));
  await page.goto(`http://127.0.0.1:${port}/bench/side-page.html?${encodeURIComponent(name)}`);
  return {
    async ask(request) {
      await page
        .waitForFunction(() => 'answer' in globalThis, undefined, { timeout: 60_000 })
        .catch(() => Promise.reject(new Error(`the page of ${name} did not start: ${complaints}`)));
      return understood(
        await page.evaluate(
          (request) =>
            (globalThis as unknown as { answer: (r: object) => Promise<Record<string, unknown>> }).answer(request),
          request as Request,
        ),
      );
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
