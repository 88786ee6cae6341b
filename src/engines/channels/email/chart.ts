import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 480
const HEIGHT = 120
const MARGIN = 6
/** Background, frame, values, threshold. */
const PALETTE = Buffer.from('ffffffc8ccd41f5fbfd03030', 'hex')
const FRAME = 1
const VALUES = 2
const THRESHOLD = 3

interface Point {
  readonly x: number
  readonly y: number
}

/**
 * The last values as a picture, with the threshold as a dashed line; undefined where there are too few. Mail clients
 * show no SVG and run no scripts, and a library for a line and a frame would be the heaviest part of all.
 */
export function chart(values: readonly { time: string; value: number }[], threshold: number | null) {
  const points = values
    .map(({ time, value }) => ({ x: Date.parse(time), y: value }))
    .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))
  if (points.length < 2) return undefined
  const xs = scale(points.map(({ x }) => x))
  const ys = scale([...points.map(({ y }) => y), ...(threshold === null ? [] : [threshold])])
  const place = ({ x, y }: Point) => ({
    x: Math.round(MARGIN + xs(x) * (WIDTH - 2 * MARGIN)),
    y: Math.round(HEIGHT - MARGIN - ys(y) * (HEIGHT - 2 * MARGIN))
  })
  const picture = new Picture()
  picture.frame()
  if (threshold !== null) picture.dashes(place({ x: 0, y: threshold }).y)
  const placed = points.map(place)
  placed.forEach((point, i) => {
    picture.line(placed[i - 1] ?? point, point)
  })
  return picture.png()
}

/** Where a number lies between the least and the greatest, from 0 to 1; halved so that no difference overflows. */
function scale(numbers: readonly number[]): (number: number) => number {
  const least = Math.min(...numbers)
  const range = Math.max(...numbers) / 2 - least / 2
  return (number) => (range === 0 ? 0.5 : Math.min(1, Math.max(0, (number / 2 - least / 2) / range)))
}

class Picture {
  /** Each row begins with the number of its filter, which is none. */
  readonly #pixels = Buffer.alloc((WIDTH + 1) * HEIGHT)

  frame(): void {
    for (let x = 0; x < WIDTH; x++) for (const y of [0, HEIGHT - 1]) this.#dot(x, y, FRAME)
    for (let y = 0; y < HEIGHT; y++) for (const x of [0, WIDTH - 1]) this.#dot(x, y, FRAME)
  }

  dashes(y: number): void {
    for (let x = MARGIN; x < WIDTH - MARGIN; x++) if (x % 12 < 8) this.#dot(x, y, THRESHOLD)
  }

  /** Two pixels thick. */
  line(from: Point, to: Point): void {
    const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1)
    for (let step = 0; step <= steps; step++) {
      const x = Math.round(from.x + ((to.x - from.x) * step) / steps)
      const y = Math.round(from.y + ((to.y - from.y) * step) / steps)
      for (const [right, down] of [
        [0, 0],
        [1, 0],
        [0, 1]
      ] as const)
        this.#dot(x + right, y + down, VALUES)
    }
  }

  png(): Buffer {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(WIDTH, 0)
    header.writeUInt32BE(HEIGHT, 4)
    // Eight bits for each pixel, which are a colour of the palette.
    header.set([8, 3], 8)
    const data = deflateSync(this.#pixels)
    const signature = Buffer.from('89504e470d0a1a0a', 'hex')
    return Buffer.concat([signature, part('IHDR', header), part('PLTE', PALETTE), part('IDAT', data), part('IEND')])
  }

  #dot(x: number, y: number, color: number): void {
    this.#pixels[y * (WIDTH + 1) + x + 1] = color
  }
}

function part(type: string, data = Buffer.alloc(0)): Buffer {
  const content = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}
