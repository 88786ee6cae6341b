import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { PictureMaker } from '../pictures/index.ts'
import type { Message } from './message.ts'

/** A message is to be read on a phone: the others are in the platform. */
const MAX_CHARTS = 5
/** Pixels of a picture for each of its own, for screens with small ones. */
const SCALE = 2
/** For all charts of a message: it is sent without rather than late. */
const MAX_MS = 10_000

interface Needs {
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

/** PNGs by the place of their alert in the message. */
export type ChartPictures = ReadonlyMap<number, Buffer>

/**
 * Draws the last values of alerts, for channels that can show a picture. What draws is loaded with the first one. A chart
 * that can't be made is left out and logged: a message never waits for it long, nor fails because of it.
 */
export class Charts {
  readonly #needs: Needs
  #maker: PictureMaker | undefined
  #isClosed = false

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async of(message: Message, signal: AbortSignal): Promise<ChartPictures> {
    const { clock, log } = this.#needs
    const made = new Map<number, Buffer>()
    const end = Promise.withResolvers<never>()
    const cancel = clock.after(MAX_MS, () => end.reject(new Error(`They took longer than ${MAX_MS / 1000} s`)))
    const onAbort = () => end.reject(new Error('The message was cancelled'))
    signal.addEventListener('abort', onAbort)
    try {
      await Promise.race([this.#draw(message, made), end.promise])
    } catch (error) {
      log.warn({ err: error, groupKey: message.groupKey }, 'a message goes without some of its charts')
    } finally {
      cancel()
      signal.removeEventListener('abort', onAbort)
    }
    // What is made too late is not for this message any more.
    return new Map(made)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#maker?.close()
  }

  /** One after the other: charts of other messages get their turn in between. */
  async #draw({ alerts }: Message, made: Map<number, Buffer>): Promise<void> {
    const { CHART_SIZE, chartPanel } = await import('./email/chart-panel.ts')
    for (const [i, alert] of alerts.entries()) {
      const panel = made.size < MAX_CHARTS ? chartPanel(alert) : undefined
      if (panel === undefined) continue
      const { drawPanel, PictureMaker } = await import('../pictures/index.ts')
      if (this.#isClosed) throw new Error('The server is about to end')
      this.#maker ??= new PictureMaker()
      made.set(i, await this.#maker.png(drawPanel(panel, CHART_SIZE, 'light'), SCALE))
    }
  }
}
