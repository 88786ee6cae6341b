import { createHmac } from 'node:crypto'

/** The value of `X-Millrace-Signature`: one `v1` for each secret, so that receivers may know either. */
export function signature(body: string, secrets: readonly string[], nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000)
  const hashes = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
  return [`t=${seconds}`, ...hashes.map((hash) => `v1=${hash}`)].join(',')
}
