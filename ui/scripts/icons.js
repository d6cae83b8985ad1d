// Draws icons/*.png and icons/icon.ico from icons/paddock.svg, in Chromium, and hands the drawing to the
// page: `npm run icons`.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../tests/browser.js';

const ICONS = fileURLToPath(new URL('../../icons/', import.meta.url));
const PNG_SIZES = [32, 128, 256, 512];
const ICO_SIZES = [16, 32, 48, 256];
const svg = readFileSync(`${ICONS}paddock.svg`, 'utf8');

const browser = await openBrowser();
const page = await browser.newPage();

async function draw(size) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
  return page.screenshot({ omitBackground: true });
}

/** An ICO file of PNG pictures: a directory of 16 bytes for each, then the pictures. */
function ico(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  pictures.forEach(({ size, png }, nth) => {
    const at = 6 + 16 * nth;
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  });
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

for (const size of PNG_SIZES) writeFileSync(`${ICONS}${size}.png`, await draw(size));
const pictures = [];
for (const size of ICO_SIZES) pictures.push({ size, png: await draw(size) });
writeFileSync(`${ICONS}icon.ico`, ico(pictures));
copyFileSync(`${ICONS}paddock.svg`, fileURLToPath(new URL('../public/icon.svg', import.meta.url)));
await browser.close();
