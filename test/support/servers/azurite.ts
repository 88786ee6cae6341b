import { freePort } from '../free-port.ts'
import { missingFile, serverFile } from './installed.ts'
import { answers, makeFolder, printedPort, removeFolder, startService } from './service.ts'

const program = serverFile('azurite', 'azurite/dist/src/blob/main.js')
const tableProgram = serverFile('azurite', 'azurite/dist/src/table/main.js')

// Clients may be newer than the emulator, and say so in every request.
const BEHAVIOUR = ['--inMemoryPersistence', '--silent', '--disableTelemetry', '--skipApiVersionCheck']

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
  return start([program, '--blobHost', '127.0.0.1', '--blobPort', '0'], printedPort)
}

/** An Azure Table service of its own, in memory. It does not tell which free port it took. */
export async function startAzuriteTables(): Promise<Azurite> {
  const port = await freePort()
  return start([tableProgram, '--tableHost', '127.0.0.1', '--tablePort', String(port)], async () =>
    (await answers(`http://127.0.0.1:${port}`)) ? port : false
  )
}

async function start(
  args: readonly string[],
  readyPort: (output: string) => number | false | Promise<number | false>
): Promise<Azurite> {
  const folder = makeFolder('azurite')
  const service = await startService({ command: process.execPath, args: [...args, ...BEHAVIOUR], folder }, readyPort)
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
