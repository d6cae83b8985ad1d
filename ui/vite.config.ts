// How the client is built and served while it is being worked on. `PADDOCK_URL` names the server
// (or the fake one of tests/fake) that the development server passes API calls on to.
import { defineConfig } from 'vitest/config';
import solid from 'vite-plugin-solid';

declare const process: { env: Record<string, string | undefined> };

const server = process.env['PADDOCK_URL'] ?? 'http://127.0.0.1:4190';

export default defineConfig({
  plugins: [solid()],
  build: { target: 'es2022', modulePreload: { polyfill: false }, reportCompressedSize: false },
  worker: { format: 'es' },
  server: { host: '127.0.0.1', proxy: { '/api': { target: server } } },
  test: {
    environment: 'jsdom',
    include: ['tests/unit/**/*.test.{js,ts,tsx}'],
    pool: 'threads',
    maxWorkers: 1,
    // A test here means what it says, not how fast: the machine may be at work beside it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
