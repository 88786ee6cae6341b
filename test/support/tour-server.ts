import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import '../../src/areas.ts'
import { allSettings } from '../../src/config.ts'
import { createTestDatabase } from './database.ts'
import { eventually } from './eventually.ts'
import { takeTour } from './tour.ts'

const root = join(import.meta.dirname, '../..')

/** Takes the tour of the README at a new server, as often as there are numbers to tell its runs apart by. */
export async function takeTours(runs: readonly string[]): Promise<void> {
  const database = await createTestDatabase()
  const env = {
    ...withoutSettings(process.env),
    PORT: '0',
    DATA_DIR: database.folder,
    LOG_LEVEL: 'error',
    ...(database.databaseUrl !== undefined && { DATABASE_URL: database.databaseUrl })
  }
  const server = await startServer(env)
  try {
    for (const RUN of runs) await takeTour({ ...env, BASE: server.url, RUN })
  } finally {
    await server.stop()
    await database.drop()
  }
}

/** What the developer has set for a server of their own is not meant for this one. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = new Set<string>(allSettings().map(({ name }) => name))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)))
}

async function startServer(env: NodeJS.ProcessEnv): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['src/main.js'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise((resolve) => child.once('exit', resolve))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  }
  const stop = async () => {
    child.kill()
    await exit
  }
  try {
    const url = await eventually(() => {
      const address = /ready at (\S+)/.exec(output)?.[1]
      assert.ok(address, `the server did not start: ${output}`)
      return address
    })
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
