import { statfs } from 'node:fs/promises'
import { metricText } from './http/metric-text.ts'
import type { MetricsPart } from './http/metrics.ts'

const GIB = 1024 ** 3
/** Less free space than the smaller of these is too little: a share of a small disk, a fixed size on a large one. */
const LOW_BYTES = GIB
const LOW_SHARE = 0.05

export interface Space {
  readonly freeBytes: number
  readonly totalBytes: number
}

/** Of the disk that a folder is on: the bytes that this process could still write, and the size. */
export async function diskSpace(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

export interface SpaceNeeds {
  readonly config: { readonly dataDir: string }
  readonly diskSpace: typeof diskSpace
}

/** A sentence where little room is left. That a disk is full is reported by whatever fails to write. */
export async function lackOfSpace({ config, diskSpace }: SpaceNeeds): Promise<string | undefined> {
  const { freeBytes, totalBytes } = await diskSpace(config.dataDir)
  if (freeBytes >= Math.min(LOW_BYTES, totalBytes * LOW_SHARE)) return undefined
  const left = freeBytes === 0 ? 'is full' : `has ${freeBytes} of ${totalBytes} bytes left`
  return `The disk of DATA_DIR ${left}: make room, or give it more`
}

export function diskMetrics({ config, diskSpace }: SpaceNeeds): MetricsPart {
  const gauge = (name: string, help: string, value: number) => metricText(name, 'gauge', help, [{ value }])
  return {
    name: 'disk',
    async render() {
      const { freeBytes, totalBytes } = await diskSpace(config.dataDir)
      return [
        gauge('millrace_disk_free_bytes', 'Free on the disk of DATA_DIR', freeBytes),
        gauge('millrace_disk_total_bytes', 'Size of the disk of DATA_DIR', totalBytes)
      ].join('')
    }
  }
}
