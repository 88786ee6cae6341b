import { parentPort } from 'node:worker_threads'
import { rendered } from './render.ts'
import type { PictureOrder, PictureSaid } from './thread.ts'

parentPort?.on('message', ({ svg, scale }: PictureOrder) => {
  try {
    const png = rendered(svg, scale).asPng()
    parentPort?.postMessage({ png } satisfies PictureSaid)
  } catch (error) {
    parentPort?.postMessage({ failure: String((error as Error)?.message ?? error) } satisfies PictureSaid)
  }
})
