import type { SourceConfig } from '../index.ts'
import type { RunningSource } from './contract.ts'
import { LARGE_ROWS, type LargeStream, largeStreamSuite } from './large-streams.ts'

interface FileServer extends Pick<LargeStream, 'mendsItself'>, Pick<RunningSource, 'stop' | 'restart' | 'clock'> {
  readonly config: SourceConfig
  put(path: string, content: Uint8Array): Promise<void> | void
}

export interface LargeFileTest {
  readonly sourceId: string
  readonly missing: string | undefined
  start(): Promise<FileServer>
}

/** A million rows of a file, while the server dies now and then. */
export function largeFileSuite(name: string, { sourceId, missing, start }: LargeFileTest): void {
  largeStreamSuite(name, {
    sourceId,
    missing,
    async start() {
      const server = await start()
      await server.put('large/rows.csv', largeCsv())
      const config = { ...server.config, files: ['large/*.csv'] }
      return { ...server, config, stream: 'large/*.csv', cursor: '_position', counted: 'id' }
    }
  })
}

export const largeCsv = (): Buffer =>
  Buffer.from(`id,label\n${Array.from({ length: LARGE_ROWS }, (_, i) => `${i},"row ${i}"`).join('\n')}\n`)
