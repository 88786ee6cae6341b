import { PictureError } from '../errors.ts'
import { MAX_PIXELS, MAX_SVG_CHARS } from '../limits.ts'
import { type PictureOrder, PictureThread } from './thread.ts'

const MAX_WAITING = 32
/** Also because the thread has yet to start, or the machine is busy with others. */
const MAX_MS = 20_000
const IDLE_MS = 30_000
const MAX_SCALE = 4
const SIZE = /^<svg [^>]*?\bwidth="(\d+)" height="(\d+)"/
/** Nothing that is drawn here has any of these; with them a picture could hold files of this machine. */
const FOREIGN = /<(?:image|use|script|style|foreignObject|feImage|a|!|\?)[\s>/[-]|<[^<>]*\bhref\s*=/i

interface Waiting extends PictureOrder {
  resolve(png: Buffer): void
  reject(error: unknown): void
}

/** For tests: another program of the thread, and smaller limits. */
interface MakerParts {
  readonly program?: URL
  readonly maxMs?: number
}

/**
 * Makes PNGs of what `drawPanel` and `drawDashboard` have drawn, one after the other on a thread, which is started with the
 * first and ends when there is nothing to do. Whatever goes wrong with one picture, the next is made.
 */
export class PictureMaker {
  readonly #parts: Required<MakerParts>
  readonly #waiting: Waiting[] = []
  #thread: PictureThread | undefined
  #isBusy = false
  #isClosed = false
  #idle: NodeJS.Timeout | undefined

  constructor({ program = new URL('./worker.ts', import.meta.url), maxMs = MAX_MS }: MakerParts = {}) {
    this.#parts = { program, maxMs }
  }

  /** `scale`: how many pixels of the PNG are one of the SVG, up to 4. */
  async png(svg: string, scale = 1): Promise<Buffer> {
    if (this.#isClosed) throw closed()
    check(svg, scale)
    if (this.#waiting.length >= MAX_WAITING) {
      throw new PictureError('overloaded', `${MAX_WAITING} pictures wait to be made; ask again in some seconds`)
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ svg, scale, resolve, reject })
      if (!this.#isBusy) void this.#workOff()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(closed())
    await this.#rest()
  }

  async #workOff(): Promise<void> {
    this.#isBusy = true
    clearTimeout(this.#idle)
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (this.#thread === undefined || this.#thread.isBroken) this.#thread = new PictureThread(this.#parts.program)
      const { svg, scale, resolve, reject } = next
      await this.#thread.make({ svg, scale }, this.#parts.maxMs).then(resolve, reject)
    }
    this.#isBusy = false
    this.#idle = setTimeout(() => void this.#rest(), IDLE_MS).unref()
  }

  /** Ends the thread; the next picture starts another. */
  async #rest(): Promise<void> {
    const thread = this.#thread
    clearTimeout(this.#idle)
    this.#thread = undefined
    await thread?.close()
  }
}

const closed = () => new PictureError('closed', 'No more pictures are made: the server is about to stop')

function check(svg: string, scale: number): void {
  if (svg.length > MAX_SVG_CHARS) {
    throw new PictureError('too_large', `The SVG has ${svg.length} characters; at most ${MAX_SVG_CHARS} are made a PNG`)
  }
  const [, width, height] = SIZE.exec(svg) ?? []
  if (width === undefined || height === undefined || FOREIGN.test(svg)) {
    throw new PictureError('failed', 'Only pictures that were drawn here are made a PNG')
  }
  if (!(scale > 0 && scale <= MAX_SCALE)) {
    throw new PictureError('too_large', `The scale is ${scale}: give one above 0, up to ${MAX_SCALE}`)
  }
  const pixels = Number(width) * Number(height) * scale ** 2
  if (pixels > MAX_PIXELS) {
    throw new PictureError(
      'too_large',
      `The PNG would have ${Math.round(pixels)} pixels; at most ${MAX_PIXELS} are made`
    )
  }
}
