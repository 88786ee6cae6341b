import type { Discovered, StreamColumn, StreamRead, StreamValue } from '../index.ts'

/** A system whose streams have rows. `SystemSource` makes a source of it: tests, chunks and positions are the same for all. */
export interface System {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** Signs in; answers in words who may enter what. */
  enter(signal: AbortSignal): Promise<string>
  /** What can be read, by name; the first `limit` where there is more. */
  list(request: { readonly limit: number; readonly signal: AbortSignal }): Promise<Discovered>
  /**
   * The rows of a stream, page by page. With a cursor those after it, in its order, and no end before the last: the reader
   * ends it, because only the reader sees where the values of a limit end. `limit` is how many are wanted, for systems that can be told.
   */
  pages(request: StreamRead): AsyncIterable<Page>
  /** What gives the right to read, for an administrator to run. */
  grants(): string[]
  /** Ends whatever is under way. */
  close(): Promise<void>
}

export interface Page {
  readonly columns: readonly Pick<StreamColumn, 'name' | 'type'>[]
  readonly rows: readonly (readonly StreamValue[])[]
  /** With a cursor: the position of each row, where that is not the text of its value. */
  readonly positions?: readonly string[]
}
