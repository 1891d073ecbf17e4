import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

/** A plain host that serves a folder from a path of somebody's web space, without headers of ours. */
export class StaticHost {
  readonly #server = createServer((request, response) => void this.#answer(request.url ?? '/', response));

  /** @param folder that is served; another can take its place */
  constructor(public folder: string) {}

  /** @returns the address of the page */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://localhost:${(this.#server.address() as AddressInfo).port}/school/lab/`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(url: string, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(url, 'http://localhost');
    const name = pathname.replace(/^\/school\/lab\//, '').replace(/^$/, 'index.html');
    try {
      const content = await readFile(join(this.folder, name));
      response
        .setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream')
        .setHeader('Cache-Control', 'no-cache')
        .end(content);
    } catch {
      response.writeHead(404).end('Not found');
    }
  }
}
