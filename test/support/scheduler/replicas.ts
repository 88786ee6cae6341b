import { type Metadata, openMetadata } from '../../../src/engines/metadata/index.ts'
import { startPostgres } from '../postgres.ts'
import { createInstallation, type Env, runCli, type ServerProcess, startServer } from '../process.ts'
import { makeFolder, removeFolder } from '../servers/service.ts'

/** Servers that share one database, made to be killed. */
export interface Replicas {
  readonly token: string
  readonly servers: ServerProcess[]
  /** Ends one as a power failure would. */
  kill(at: number): Promise<void>
  start(at: number): Promise<void>
  /** The database, which is open whether servers are there or not. */
  readonly metadata: Metadata
  close(): Promise<void>
}

interface Installed {
  readonly envs: readonly Env[]
  open(): Promise<Metadata>
  drop(): Promise<void>
}

/** One is on the embedded database, several are on a PostgreSQL of their own. */
export async function startReplicas(count: number): Promise<Replicas> {
  const { envs, open, drop } = await (count === 1 ? installOne() : installMany(count))
  const user = ['--user', 'prover', '--role', 'admin', '--ttl', '1d']
  const token = (await runCli(['token', ...user], envs[0] as Env)).stdout.trim()
  const servers: ServerProcess[] = []
  for (const env of envs) servers.push(await startServer(env))
  const metadata = await open()
  return {
    token,
    servers,
    metadata,
    async kill(at) {
      await (servers[at] as ServerProcess).stop('SIGKILL')
    },
    async start(at) {
      servers[at] = await startServer(envs[at] as Env)
    },
    async close() {
      await Promise.all(servers.map((server) => server.stop('SIGKILL').catch(() => {})))
      await metadata.close()
      await drop()
    }
  }
}

async function installOne(): Promise<Installed> {
  const { database, env, drop } = await createInstallation()
  return { envs: [{ ...env, ALLOWED_HOSTS: '127.0.0.1' }], open: () => database.open(), drop }
}

async function installMany(count: number): Promise<Installed> {
  const postgres = await startPostgres()
  const folders = Array.from({ length: count }, (_, at) => makeFolder(`replica-${at}`))
  const envs = folders.map((DATA_DIR) => ({
    DATA_DIR,
    DATABASE_URL: postgres.url,
    SECRET_KEY: 'test-secret-'.repeat(4),
    PORT: '0',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    ALLOWED_HOSTS: '127.0.0.1'
  }))
  return {
    envs,
    open: () => openMetadata({ databaseUrl: postgres.url, file: '' }),
    async drop() {
      await postgres.stop()
      for (const folder of folders) removeFolder(folder)
    }
  }
}
