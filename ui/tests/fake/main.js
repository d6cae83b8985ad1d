// Starts the fake server: `node tests/fake/main.js [--port 4190] [--dist]`. With `--dist` it serves the
// built client too; without, Vite's development server passes API calls on to it.
import { startFake } from './server.js';

const args = process.argv.slice(2);
const port = Number(args[args.indexOf('--port') + 1] || 4190);
const scene = args.includes('--scene') ? args[args.indexOf('--scene') + 1] : 'full';
const fake = await startFake({ port: args.includes('--port') ? port : 4190, dist: args.includes('--dist'), scene });
process.stdout.write(`${fake.url}\n`);
