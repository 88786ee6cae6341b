import { join } from 'node:path'
import { missingFile, serverFile } from './installed.ts'
import { makeFolder, printedPort, removeFolder, startService } from './service.ts'

const main = join(import.meta.dirname, 'gcs-emulator-main.mjs')
const tools = serverFile('gcs', 'firebase-tools/package.json')

export interface GcsEmulator {
  readonly endpoint: string
  readonly port: number
  stop(): Promise<void>
}

export function missingGcsEmulator(): string | undefined {
  return missingFile('firebase-tools', tools)
}

/** The emulator of Google Cloud Storage: its JSON API without access control; buckets appear on first use. */
export async function startGcsEmulator(): Promise<GcsEmulator> {
  const folder = makeFolder('gcs')
  const service = await startService({ command: process.execPath, args: [main, tools], folder }, printedPort)
  return {
    endpoint: `http://127.0.0.1:${service.ready}`,
    port: service.ready,
    async stop() {
      await service.stop()
      removeFolder(folder)
    }
  }
}
