import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../engines/clock.ts'
import type { Precision, Series, WriteFormat, Written } from '../../engines/series/index.ts'
import type { Intake } from '../../http/intake.ts'
import { isGzip } from '../../http/request-headers.ts'
import { withSeries } from './series-problems.ts'

interface Needs {
  readonly clock: Clock
  readonly intake: Intake
  series(): Promise<Series>
}

export interface Write {
  readonly sourceId: string
  readonly format: WriteFormat
  readonly precision: Precision
}

/** Points on their way from requests into the engine. */
export class Writes {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Once this is answered, what was accepted is durable. */
  async write(raw: IncomingMessage, write: Write): Promise<Written> {
    const { clock, intake } = this.#needs
    const gzip = isGzip(raw.headers)
    return intake.take(raw, (body) =>
      withSeries(async () => (await this.#needs.series()).write({ ...write, gzip, body, nowMs: clock.now() }))
    )
  }
}
