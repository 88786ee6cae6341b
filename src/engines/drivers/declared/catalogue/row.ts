import type { Category, Authentication as SignIn, SourceFacts } from '../../catalogue/facts.ts'
import type { Authentication, Entry } from '../entry.ts'
import { isReadable, streamOf } from './streams.ts'

/** What the index has of an entry, so that hundreds can be listed without a look at their files. */
export interface IndexRow {
  readonly id: string
  readonly name: string
  readonly category: Category
  readonly authentication: SignIn
  readonly documentation: string
  readonly hint?: string
  readonly supports: {
    readonly check: boolean
    readonly discover: boolean
    readonly read: boolean
    readonly incremental: boolean
  }
  /** How many streams there are, and how many of them can be read. */
  readonly streams: number
  readonly readable: number
}

const SIGN_INS: Readonly<Record<Authentication['kind'], SignIn>> = {
  none: 'none',
  key: 'token',
  bearer: 'token',
  basic: 'password',
  oauth2: 'oauth2',
  session: 'session',
  jwt: 'key',
  sigv4: 'signature',
  oauth1: 'signature',
  'azure-shared-key': 'signature',
  hmac: 'signature',
  choice: 'choice'
}

export function rowOf(entry: Entry): IndexRow {
  const { id, name, category, documentation, hint, check } = entry
  const streams = Object.keys(entry.streams).flatMap((stream) => streamOf(entry, stream) ?? [])
  const readable = streams.filter(isReadable)
  const canRead = readable.length > 0
  const incremental = readable.some(({ cursor }) => cursor !== undefined)
  return {
    ...{ id, name, category: category as Category, authentication: SIGN_INS[entry.authentication.kind], documentation },
    ...(hint === undefined ? {} : { hint }),
    supports: { check: check !== undefined, discover: canRead, read: canRead, incremental },
    streams: streams.length,
    readable: readable.length
  }
}

/** An entry as what is known of any source. */
export function factsOf(entry: Entry): SourceFacts {
  const { id, name, category, authentication, documentation, hint = '', supports } = rowOf(entry)
  return {
    ...{ id, name, category, authentication, hint, documentationUrl: documentation },
    ...{ driver: 'declared', defaults: {}, isProven: false, isIncremental: supports.incremental }
  }
}
