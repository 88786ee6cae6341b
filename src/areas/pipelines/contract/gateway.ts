import type { Publication } from './sink.ts'

/**
 * What the platform does for nodes, which run in a process that has neither its databases nor its stores. Every method is a
 * call to the server. Refusals are `NodeFault`s.
 */
export interface Gateway {
  /** Line protocol, JSON or NDJSON points; see `Series.write`. Durable when answered; writing again what was written is harmless. */
  writeSeries(sourceId: string, format: 'line' | 'ndjson', body: Uint8Array): Promise<SeriesWritten>
  /** What `writeSeries` would answer now; nothing is written, and no tag made. */
  judgeSeries(sourceId: string, format: 'line' | 'ndjson', body: Uint8Array): Promise<SeriesWritten>
  /** Parquet files of a source's points with the columns tag, time (ns), value, text and quality, linked or copied into `folder`. */
  exportSeries(sourceId: string, tags: readonly string[] | undefined, folder: string): Promise<readonly string[]>
  /** A page of at most `limit`, in the order of their keys' UTF-8 bytes. */
  listObjects(query: ObjectQuery): Promise<ObjectPage>
  /** Brings an object to a file, without copying where it lies on the same disk. Fails as `not_found` where it is another one by now. */
  fetchObject(object: { bucket: string; key: string; etag: string }, path: string): Promise<{ contentType: string }>
  /** Keeps a file until it is dropped; the name can be given to `loadFile` by any later run, on any replica. */
  keepFile(path: string): Promise<string>
  loadFile(name: string, path: string): Promise<void>
  /** Puts a kept file under a key, as a whole or not at all. Where it is no longer kept, that has been done before. */
  publish(publication: Publication): Promise<void>
  /** What is kept now in a secret field of the connector that a ticket is for. */
  currentSecret(ticket: string, field: string): Promise<string | undefined>
  /** Keeps another where `before` is kept; see `KeptSecrets`. */
  replaceSecret(ticket: string, field: string, before: string, next: string): Promise<string | undefined>
}

export interface SeriesWritten {
  readonly accepted: number
  readonly rejected: number
  readonly errors: readonly { readonly line: number; readonly code: string; readonly message: string }[]
}

export interface ObjectQuery {
  readonly bucket: string
  readonly prefix: string
  /** The `next` of the page before, which is no key. */
  readonly after: string | undefined
  readonly limit: number
}

export interface ObjectPage {
  readonly objects: readonly {
    key: string
    etag: string
    sizeBytes: number
    modifiedAt: string
    contentType?: string
  }[]
  readonly next: string | undefined
}
