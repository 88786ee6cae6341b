import type { Precision, WriteFormat, Written } from '../index.ts'
import { newlineEnded } from './bytes.ts'
import { JsonBodies } from './json-body.ts'
import { LineProtocol } from './line-protocol.ts'
import type { PointBatch, TagRegistry } from './points.ts'
import { Reading } from './reading.ts'

export type { Reading } from './reading.ts'

export interface ParseRequest {
  readonly format: WriteFormat
  /** The unit of times that are plain numbers. */
  readonly precision: Precision
  /** The time of points that carry none. */
  readonly nowMs: number
  readonly body: Uint8Array
  /** How many refusals are kept. */
  readonly maxErrors?: number | undefined
}

/** Begins to read a body, which is taken over. */
export function beginReading({ format, body, maxErrors }: ParseRequest): Reading {
  return new Reading(format === 'line' ? newlineEnded(body) : body, maxErrors)
}

/**
 * Reads the writes to one source. It remembers which bytes mean which tag, so there should be one for each source and
 * thread, kept as long as the source is written to.
 */
export class Parser {
  readonly #lines: LineProtocol
  readonly #json: JsonBodies

  constructor(registry: TagRegistry) {
    this.#lines = new LineProtocol(registry)
    this.#json = new JsonBodies(registry)
  }

  /** Adds the good points to the batch. If anything is wrong with a line, none of its points is added. */
  parse(request: ParseRequest, out: PointBatch): Written {
    const reading = beginReading(request)
    while (this.next(reading, request, out));
    return reading.tally.written()
  }

  /** Does the same for the next part of a body. False when nothing is left of it. */
  next(reading: Reading, { format, precision, nowMs }: Omit<ParseRequest, 'body'>, out: PointBatch): boolean {
    switch (format) {
      case 'line':
        return this.#lines.next(reading, precision, nowMs, out)
      case 'json':
        return this.#json.nextElements(reading, precision, nowMs, out)
      case 'ndjson':
        return this.#json.nextLines(reading, precision, nowMs, out)
    }
  }

  /** Forgets all tags, because some were dropped: each is asked of the registry again. */
  forget(): void {
    this.#lines.forget()
    this.#json.forget()
  }
}
