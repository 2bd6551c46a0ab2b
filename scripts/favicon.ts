/** Makes src/web/favicon.ico from src/web/icon.svg, with Chromium. Run it after a change of the icon. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FOLDER = join(import.meta.dir, "../src/web");
/** What browsers show in tabs, bookmarks and task bars. */
const SIZES = [16, 32, 48];
const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;
const BITS_PER_PIXEL = 32;

const svg = readFileSync(join(FOLDER, "icon.svg"), "utf8");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const images: Buffer[] = [];
for (const size of SIZES) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
  images.push(await page.screenshot({ omitBackground: true }));
}
await browser.close();
writeFileSync(join(FOLDER, "favicon.ico"), iconOf(images));

/** An ICO file is a directory, and then the images: since Windows Vista they may be PNG files. */
function iconOf(images: readonly Buffer[]): Buffer {
  const directory = Buffer.alloc(HEADER_BYTES + ENTRY_BYTES * images.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(images.length, 4);
  let offset = directory.length;
  for (const [index, image] of images.entries()) {
    const entry = HEADER_BYTES + ENTRY_BYTES * index;
    directory.writeUInt8(SIZES[index]!, entry);
    directory.writeUInt8(SIZES[index]!, entry + 1);
    directory.writeUInt16LE(1, entry + 4);
    directory.writeUInt16LE(BITS_PER_PIXEL, entry + 6);
    directory.writeUInt32LE(image.length, entry + 8);
    directory.writeUInt32LE(offset, entry + 12);
    offset += image.length;
  }
  return Buffer.concat([directory, ...images]);
}
