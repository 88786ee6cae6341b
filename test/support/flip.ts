import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'

/** Does what a bad disk does: changes bits of one byte in place, silently. */
export function flipByte(path: string, at: number, change = 0x10): void {
  const fd = openSync(path, 'r+')
  try {
    const byte = Buffer.alloc(1)
    readSync(fd, byte, 0, 1, at)
    writeSync(fd, Buffer.from([(byte[0] as number) ^ change]), 0, 1, at)
  } finally {
    closeSync(fd)
  }
}

/** Places that are the same for the same seed. */
export function randomPlaces(seed: number): (path: string) => { at: number; change: number } {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) / 2 ** 24
  }
  return (path) => ({ at: Math.floor(next() * statSync(path).size), change: 1 << Math.floor(next() * 8) })
}
