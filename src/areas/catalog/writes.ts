import type { Clock } from '../../engines/clock.ts'
import type { Precision, Series, WriteFormat, Written } from '../../engines/series/index.ts'
import type { Intake, Sent } from '../../http/intake.ts'
import { withSeries } from './series-problems.ts'

/** Lines usually pack to a fifth or less: a packed body may unpack to so many times the size that may be sent. */
const UNPACKED_TIMES = 4

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

  /** Once this resolves, the accepted points are durable. */
  async write(sent: Sent, write: Write): Promise<Written> {
    const { clock, intake } = this.#needs
    const holder = sent.actor.id
    const keep = (body: Uint8Array<ArrayBuffer>) =>
      withSeries(async () => (await this.#needs.series()).write({ ...write, holder, body, nowMs: clock.now() }))
    return intake.take(sent, keep, UNPACKED_TIMES)
  }
}
