import { missingFile, serverFile } from './installed.ts'
import { makeFolder, printedPort, removeFolder, startService } from './service.ts'

const program = serverFile('azurite', 'azurite/dist/src/blob/main.js')

/** The account that every emulator of this service has, with the key that everybody knows. */
const ACCOUNT = 'devstoreaccount1'
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

export interface Azurite {
  /** Ends with the account, as clients want it. */
  readonly endpoint: string
  readonly host: string
  readonly port: number
  readonly account: string
  readonly key: string
  stop(): Promise<void>
}

export function missingAzurite(): string | undefined {
  return missingFile('azurite', program)
}

/** An Azure Blob service of its own, in memory. */
export async function startAzurite(): Promise<Azurite> {
  const folder = makeFolder('azurite')
  const address = ['--blobHost', '127.0.0.1', '--blobPort', '0']
  // Clients may be newer than the emulator, and say so in every request.
  const behaviour = ['--inMemoryPersistence', '--silent', '--disableTelemetry', '--skipApiVersionCheck']
  const service = await startService(
    { command: process.execPath, args: [program, ...address, ...behaviour], folder },
    printedPort
  )
  const port = service.ready
  return {
    endpoint: `http://127.0.0.1:${port}/${ACCOUNT}`,
    host: '127.0.0.1',
    port,
    account: ACCOUNT,
    key: KEY,
    async stop() {
      await service.stop()
      removeFolder(folder)
    }
  }
}
