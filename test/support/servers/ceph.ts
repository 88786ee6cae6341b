import { createHmac, randomBytes } from 'node:crypto'
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
  /** The operations the user may do, such as `read` or `read, write`; all unless given. */
  readonly opMask?: string
}

const USER = 'test'

/** The S3 service of a Ceph cluster, and the keys of a user that may make buckets and do everything with them. */
export interface Ceph extends S3Credentials {
  readonly endpoint: string
  readonly host: string
  readonly port: number
  /** Adds a user, who can't see the first one's buckets. */
  addUser(user: CephUser): Promise<S3Credentials>
  /** Takes these rights, such as `s3:ListBucket`, from the first user in one of its buckets, and gives back all others. */
  deny(bucket: string, ...actions: readonly string[]): Promise<void>
  stop(): Promise<void>
}

export function missingCeph(): string | undefined {
  return missingPrograms('radosgw', 'ceph-mon', 'ceph-osd', 'ceph')
}

export async function startCeph(): Promise<Ceph> {
  const cluster = await startCephCluster()
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const frontend = `--rgw-frontends=beast endpoint=127.0.0.1:${port} tcp_nodelay=1`
  const gateway = await startService(cluster.command('radosgw', '-n', 'client.rgw', '-f', frontend), () =>
    answers(endpoint)
  )

  async function addUser({ uid, opMask }: CephUser): Promise<S3Credentials> {
    const accessKey = randomBytes(10).toString('hex').toUpperCase()
    const secretKey = randomBytes(20).toString('hex')
    const options = [`--uid=${uid}`, `--display-name=${uid}`, `--access-key=${accessKey}`, `--secret-key=${secretKey}`]
    if (opMask !== undefined) options.push(`--op-mask=${opMask}`)
    await runProgram(cluster.command('radosgw-admin', 'user', 'create', ...options))
    return { accessKey, secretKey }
  }

  const credentials = await addUser({ uid: USER })
  return {
    endpoint,
    host: '127.0.0.1',
    port,
    ...credentials,
    addUser,
    deny: (bucket, ...actions) => putPolicy(endpoint, credentials, bucket, actions),
    // Killed, because nothing has to be kept, and an orderly end takes seconds.
    async stop() {
      await gateway.stop('SIGKILL')
      await cluster.stop()
    }
  }
}

/** Signed by hand, with the older and much simpler signature, independently of the code under test. */
async function putPolicy(
  endpoint: string,
  { accessKey, secretKey }: S3Credentials,
  bucket: string,
  actions: readonly string[]
): Promise<void> {
  const date = new Date().toUTCString()
  const signed = `PUT\n\napplication/json\n\nx-amz-date:${date}\n/${bucket}?policy`
  const signature = createHmac('sha1', secretKey).update(signed).digest('base64')
  const statement = {
    Effect: 'Deny',
    Principal: { AWS: [`arn:aws:iam:::user/${USER}`] },
    Action: actions,
    Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`]
  }
  const response = await fetch(`${endpoint}/${bucket}?policy`, {
    method: 'PUT',
    headers: {
      authorization: `AWS ${accessKey}:${signature}`,
      'content-type': 'application/json',
      'x-amz-date': date
    },
    body: JSON.stringify({ Version: '2012-10-17', Statement: actions.length === 0 ? [] : [statement] })
  })
  if (!response.ok) throw new Error(`no policy for ${bucket}: ${response.status} ${await response.text()}`)
}
