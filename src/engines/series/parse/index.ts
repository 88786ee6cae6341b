import type { Precision, WriteFormat, Written } from '../index.ts'
import { JsonBodies } from './json-body.ts'
import { LineProtocol } from './line-protocol.ts'
import type { PointBatch, TagRegistry } from './points.ts'
import { Tally } from './tally.ts'

export { unpack } from './unpack.ts'

export interface ParseRequest {
  readonly format: WriteFormat
  /** The unit of times that are plain numbers. */
  readonly precision: Precision
  /** The time of points that carry none. */
  readonly nowMs: number
  /** Unpacked. */
  readonly body: Uint8Array
  /** How many refusals are kept. */
  readonly maxErrors?: number | undefined
}

/**
 * Reads what is written to one source. Remembers which bytes mean which tag, so there should be one for each source and
 * thread, kept as long as the source is written to.
 */
export class Parser {
  readonly #lines: LineProtocol
  readonly #json: JsonBodies

  constructor(registry: TagRegistry) {
    this.#lines = new LineProtocol(registry)
    this.#json = new JsonBodies(registry)
  }

  /** Adds the good points to the batch; of a line with anything wrong, none. */
  parse(request: ParseRequest, out: PointBatch): Written {
    const { body, precision, nowMs, maxErrors } = request
    const tally = new Tally(maxErrors)
    switch (request.format) {
      case 'line':
        return this.#lines.parse(body, precision, nowMs, out, tally)
      case 'json':
        return this.#json.parseWhole(body, precision, nowMs, out, tally)
      case 'ndjson':
        return this.#json.parseLines(body, precision, nowMs, out, tally)
    }
  }

  /** For when tags have been dropped: asks the registry for each again. */
  forget(): void {
    this.#lines.forget()
    this.#json.forget()
  }
}
