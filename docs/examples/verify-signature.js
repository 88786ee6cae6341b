// For receivers of webhooks: tells whether a message comes from whom the secret is shared with, and is not an old one.
// Needs nothing but Node 20 or newer. As a function:
//
//   import { verifySignature } from './verify-signature.js'
//   const ok = verifySignature({ header: request.headers['x-millrace-signature'], body, secrets: [secret] })
//
// `body` is what arrived, byte for byte: JSON that was parsed and written again is another text. Give both secrets while
// one takes the place of the other. From a shell, with the body on standard input; the exit code is 0 where it is right:
//
//   SECRET=… node verify-signature.js "t=1767225600,v1=…" < body.json
import { createHmac, timingSafeEqual } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

/** Messages older than this are not taken: somebody may have kept one. */
const TOLERANCE_SECONDS = 300

export function verifySignature({ header, body, secrets, nowSeconds = Date.now() / 1000 }) {
  const parts = String(header ?? '')
    .split(',')
    .slice(0, 10)
    .map((part) => part.trim().split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowSeconds - Number(time)) > TOLERANCE_SECONDS) return false
  const given = parts.filter(([name]) => name === 'v1').map(([, hash]) => Buffer.from(hash ?? '', 'hex'))
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
    return given.some((hash) => hash.length === expected.length && timingSafeEqual(hash, expected))
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const ok = verifySignature({
    header: process.argv[2],
    body: await text(process.stdin),
    secrets: [process.env.SECRET ?? '']
  })
  process.exitCode = ok && process.env.SECRET ? 0 : 1
}
