import type { FaultForm } from '../../engines/channel.ts'
import type { Entry, KeptSecrets, SourceConfig, StreamColumn } from '../../engines/drivers/index.ts'
import type { Wish } from '../wish.ts'

/** What is needed to read a stream of a connector, secrets included. */
export interface ReadableStream {
  /** With which the secrets of its connector can be asked for, and others kept in their place. */
  readonly ticket: string
  readonly sourceId: string
  /** Where a user has made the source. */
  readonly entry?: Entry | undefined
  readonly config: SourceConfig
  readonly packagesFolder: string
  /** As it was discovered. */
  readonly columns: readonly StreamColumn[]
}

/** What a thread is to copy, and where to. */
export interface CopyOrder extends ReadableStream {
  readonly stream: string
  readonly wish: Wish
  readonly outbound: { readonly allowPrivateNetworks: boolean; readonly allowedHosts: readonly string[] }
  readonly file: string
  readonly maxBytes: number
}

export interface Copied {
  readonly columns: readonly Pick<StreamColumn, 'name' | 'type'>[]
  readonly rows: number
  readonly bytes: number
  /** At least as many bytes as the longest line has. */
  readonly longestLine: number
}

/** What a thread asks of the server. */
export interface CopyServer {
  current: KeptSecrets['current']
  replace: KeptSecrets['replace']
  /** It has come to its end. */
  done(outcome: CopyOutcome): void
}

/** All that is told of a failure at the other end: it is no secret, and nobody looks for its kind. */
export const PLAIN_FAULTS: FaultForm<string> = {
  toSent: (error) => (error instanceof Error ? error.message : String(error)),
  toError: (message) => new Error(message)
}

/** What came of it. */
export type CopyOutcome =
  | Copied
  | { readonly failed: 'too_large' | 'not_found' | 'unavailable'; readonly message: string }
