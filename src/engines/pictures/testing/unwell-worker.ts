import { parentPort } from 'node:worker_threads'
import type { PictureOrder, PictureSaid } from '../maker/thread.ts'

/** A thread that ends, throws or never answers where the picture says so, and is well otherwise. */
parentPort?.on('message', ({ svg }: PictureOrder) => {
  if (svg.includes('end')) process.exit(1)
  if (svg.includes('throw')) throw new Error('unwell')
  if (svg.includes('silent')) return
  parentPort?.postMessage({ png: Buffer.from('made') } satisfies PictureSaid)
})
