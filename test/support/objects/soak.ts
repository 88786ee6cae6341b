import { createInstallation, startServer } from '../process.ts'
import { makeToken } from '../token.ts'
import { upAndDown } from './huge.ts'

const GIB = 1024 ** 3
const MAX_GROWTH_MIB = 64

/** Uploads and downloads the largest object that a server takes by default; checks that its memory does not grow. */
export async function soakObjects(sizeGib: number, tell: (line: string) => void): Promise<boolean> {
  const { env, drop } = await createInstallation()
  const server = await startServer(env)
  try {
    const token = await makeToken(env, 'soak')
    const { warmMib, peakMib, ...rates } = await upAndDown(server.url, token, sizeGib * GIB)
    const { uploadMibPerSecond: up, downloadMibPerSecond: down } = rates
    tell(`${sizeGib} GiB at ${up} MiB/s up and ${down} MiB/s down: ${warmMib} MiB resident before, ${peakMib} at most`)
    return peakMib - warmMib < MAX_GROWTH_MIB
  } finally {
    await server.stop()
    await drop()
  }
}
