import assert from 'node:assert/strict'
import { startTlsFront } from '../../../../test/support/servers/tls-front.ts'
import { createOutbound, type Outbound } from '../../outbound/index.ts'
import { type Certificate, createAuthority, PAST } from '../../outbound/testing/certificate.ts'
import type { OpenSource, SourceConfig } from '../index.ts'
import { runSteps } from '../index.ts'

/** Shows a certificate for the host `localhost` from now on, and answers what has to be configured to get there. */
export type Present = (certificate: Certificate) => Promise<SourceConfig> | SourceConfig

/** For protocols that begin with TLS: a port before the one of a server. */
export async function withFront(to: number, work: (present: Present) => Promise<void>): Promise<void> {
  const front = await startTlsFront(to)
  try {
    await work((certificate) => {
      front.present(certificate)
      return { host: 'localhost', port: front.port, tls: true }
    })
  } finally {
    await front.stop()
  }
}

type Using = <T>(changes: SourceConfig, work: (opened: OpenSource) => Promise<T>, by: Outbound) => Promise<T>

const LIMIT_MS = 30_000
/** When `PAST` is. */
const PAST_DAY = '2021-01-01'
const UNKNOWN = /^Nobody whom this server trusts vouches for the certificate.*give its authority as ca$/

/**
 * That a source takes a certificate of an authority that it is given, and no other: each fails at the step `tls`, in words
 * that say what is wrong.
 */
export async function provesEncryption(using: Using, present: Present, pointer = '/tls'): Promise<void> {
  const check = async (certificate: Certificate, ca: string | undefined) => {
    const changes = { ...(await present(certificate)), ca }
    // Connections that were made before are not to be used again.
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    try {
      return await using(changes, (opened) => runSteps(opened.steps, LIMIT_MS), outbound)
    } finally {
      await outbound.close()
    }
  }
  const isRefused = async (certificate: Certificate, ca: string | undefined, said: RegExp) => {
    const { success, message, checks } = await check(certificate, ca)
    const failed = checks.find(({ ok }) => !ok)
    assert.deepEqual(
      [success, failed?.name, failed?.code, failed?.pointer],
      [false, 'tls', 'tls_failed', pointer],
      message
    )
    assert.match(failed?.message ?? '', said)
  }

  const authority = createAuthority()
  const good = authority.certify('localhost')
  const { success, message, checks } = await check(good, authority.cert)
  assert.ok(success, message)
  assert.match(checks.find(({ name }) => name === 'tls')?.message ?? '', /is encrypted/)
  await isRefused(good, undefined, UNKNOWN)
  await isRefused(good, createAuthority('Another authority').cert, UNKNOWN)
  // As one whose key was made anew.
  await isRefused(good, createAuthority().cert, UNKNOWN)
  await isRefused(
    authority.certify('localhost', PAST),
    authority.cert,
    new RegExp(`expired on ${PAST_DAY}; have it renewed`)
  )
  await isRefused(authority.certify('elsewhere.example'), authority.cert, /not for the host that is given/)
}
