import { randomBytes } from 'node:crypto'
import { freePort } from '../free-port.ts'
import { startCephCluster } from './ceph-cluster.ts'
import { missingPrograms } from './installed.ts'
import { answers, runProgram, startService } from './service.ts'

export interface S3Credentials {
  readonly accessKey: string
  readonly secretKey: string
}

export interface CephUser {
  readonly uid: string
  /** What it may do at all, such as `read` or `read, write`; without it everything. */
  readonly opMask?: string
  /** -1 forbids making buckets. */
  readonly maxBuckets?: number
}

/** The S3 service of a Ceph cluster, and a user that may make buckets and do everything with them. */
export interface Ceph extends S3Credentials {
  readonly endpoint: string
  readonly host: string
  readonly port: number
  addUser(user: CephUser): Promise<S3Credentials>
  stop(): Promise<void>
}

export function missingCeph(): string | undefined {
  return missingPrograms('radosgw', 'ceph-mon', 'ceph-osd', 'ceph')
}

export async function startCeph(): Promise<Ceph> {
  const cluster = await startCephCluster()
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const frontend = `--rgw-frontends=beast endpoint=127.0.0.1:${port}`
  const gateway = await startService(cluster.command('radosgw', '-n', 'client.rgw', '-f', frontend), () =>
    answers(endpoint)
  )

  async function addUser({ uid, opMask, maxBuckets }: CephUser): Promise<S3Credentials> {
    const accessKey = randomBytes(10).toString('hex').toUpperCase()
    const secretKey = randomBytes(20).toString('hex')
    const options = [`--uid=${uid}`, `--display-name=${uid}`, `--access-key=${accessKey}`, `--secret-key=${secretKey}`]
    if (opMask !== undefined) options.push(`--op-mask=${opMask}`)
    if (maxBuckets !== undefined) options.push(`--max-buckets=${maxBuckets}`)
    await runProgram(cluster.command('radosgw-admin', 'user', 'create', ...options))
    return { accessKey, secretKey }
  }

  return {
    endpoint,
    host: '127.0.0.1',
    port,
    ...(await addUser({ uid: 'test' })),
    addUser,
    // Nothing has to be kept, and an orderly end takes seconds.
    async stop() {
      await gateway.stop('SIGKILL')
      await cluster.stop()
    }
  }
}
