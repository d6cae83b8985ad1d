// An archive of files after POSIX.1-1988 (ustar): a header of 512 bytes before each, zeros up to the next 512, two
// empty blocks at the end. Pure; names are of ASCII, folders in them have no entry of their own.
import { splitPath } from './format';

const BLOCK = 512;
/** Longest name of a file, and of the folder that it is in. */
const NAME_MAX = 100;
const FOLDER_MAX = 155;

export interface TarFile {
  name: string;
  content: Blob;
}

/** The parts of an archive of `files`, in order; `at` is when they were changed, in milliseconds. */
export function tar(files: readonly TarFile[], at: number): BlobPart[] {
  const parts: BlobPart[] = [];
  for (const { name, content } of files) parts.push(header(name, content.size, at), content, new Uint8Array(rest(content.size)));
  return [...parts, new Uint8Array(2 * BLOCK)];
}

const rest = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function header(path: string, size: number, at: number): Uint8Array<ArrayBuffer> {
  const { dir, name } = splitPath(path);
  if (name.length > NAME_MAX || dir.length > FOLDER_MAX) throw new Error(`the name ${path} is too long for an archive`);
  const block = new Uint8Array(BLOCK);
  const put = (text: string, offset: number): void => void new TextEncoder().encodeInto(text, block.subarray(offset));
  const octal = (value: number, digits: number): string => Math.floor(value).toString(8).padStart(digits, '0');
  put(name, 0);
  put(octal(0o644, 7), 100);
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  put(octal(size, 11), 124);
  put(octal(at / 1000, 11), 136);
  // The sum is of the header with blanks in its own place.
  put(' '.repeat(8), 148);
  put('0', 156);
  put('ustar\0' + '00', 257);
  put(dir.slice(0, -1), 345);
  const sum = block.reduce((all, byte) => all + byte, 0);
  put(`${octal(sum, 6)}\0 `, 148);
  return block;
}
