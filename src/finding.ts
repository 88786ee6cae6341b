import type { Config } from './config.ts'
import type { Clock } from './engines/clock.ts'
import type { Db } from './engines/metadata/index.ts'
import type { Vault } from './engines/vault/index.ts'

/** What a check found: a line of the doctor's report. The message says what is wrong and how to mend it. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'FAIL'
  readonly subject: string
  readonly message: string
}

/** What the checks look at. A part that could not be opened is undefined, and is reported already. */
export interface Installation {
  readonly config: Config
  readonly clock: Clock
  readonly vault: Vault | undefined
  readonly metadata: { readonly db: Db } | undefined
}

export const ok = (subject: string, message: string): Finding => ({ level: 'ok', subject, message })
export const warn = (subject: string, message: string): Finding => ({ level: 'warn', subject, message })
export const fail = (subject: string, message: string): Finding => ({ level: 'FAIL', subject, message })

/** An address as it may be shown: without a password, and without parameters, which can hold one. */
export function shownUrl(text: string): string {
  const { protocol, username, host, pathname } = new URL(text)
  return `${protocol}//${username && `${username}@`}${host}${pathname}`
}

/** The reason of a failure in a few words; a refused connection has a code and no message. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || String(error)
}
