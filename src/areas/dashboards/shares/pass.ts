import { createHmac, timingSafeEqual } from 'node:crypto'
import { toIso } from '../../../engines/clock.ts'
import type { ShareRow } from './migrations.ts'

type Share = Pick<ShareRow, 'id' | 'password'>

/** Stands for a password that was right. It ends with the password: the hash of that is signed with it. */
export function passFor(secret: Buffer, share: Share, untilMs: number): { access: string; expiresAt: string } {
  return { access: `${untilMs}.${signature(secret, share, untilMs)}`, expiresAt: toIso(untilMs) }
}

export function isPass(secrets: readonly Buffer[], share: Share, pass: string, nowMs: number): boolean {
  const [, until = '', signed = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(pass) ?? []
  const untilMs = Number(until)
  if (until === '' || untilMs <= nowMs) return false
  const given = Buffer.from(signed)
  return secrets.some((secret) => {
    const known = Buffer.from(signature(secret, share, untilMs))
    return known.length === given.length && timingSafeEqual(known, given)
  })
}

const signature = (secret: Buffer, { id, password }: Share, untilMs: number): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([id, password, untilMs]))
    .digest('base64url')
