import type { Clock } from '../../engines/clock.ts'
import type { Precision, Series, WriteFormat, Written } from '../../engines/series/index.ts'
import type { Intake, Sent } from '../../http/intake.ts'
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
  async write(sent: Sent, write: Write): Promise<Written> {
    const { clock, intake } = this.#needs
    const gzip = isGzip(sent.raw.headers)
    return intake.take(sent, (body) =>
      withSeries(async () => (await this.#needs.series()).write({ ...write, gzip, body, nowMs: clock.now() }))
    )
  }
}
