import { drawDashboard, drawPanel, PictureMaker } from '../../src/engines/pictures/index.ts'
import { DASHBOARD, EXAMPLES } from '../../src/engines/pictures/testing/examples.ts'
import type { Line } from '../support/lines.ts'
import { median } from '../support/servers.ts'

const ROUNDS = 11
const [PANEL_LIMIT_MS, DASHBOARD_LIMIT_MS] = [150, 600]

interface Taken {
  readonly wallMs: number
  /** Of all threads together. */
  readonly processorMs: number
}

/**
 * What it takes to draw each type of panel, and a dashboard, and to make a PNG of it; the first, which starts the thread, is
 * left out. The limits are held against the processor time: the time by the clock is told too, and depends on what else runs.
 */
export async function measurePictures(): Promise<Line[]> {
  const maker = new PictureMaker()
  try {
    const lines: Line[] = []
    for (const { name, panel, size } of EXAMPLES) {
      const draw = () => drawPanel(panel, size, 'light')
      lines.push(await measured(`PNG of a panel: ${name}`, draw, maker, PANEL_LIMIT_MS))
    }
    const draw = () => drawDashboard(DASHBOARD.panels, DASHBOARD.title, DASHBOARD, 'light')
    const what = `PNG of a dashboard with ${DASHBOARD.panels.length} panels`
    return [...lines, await measured(what, draw, maker, DASHBOARD_LIMIT_MS)]
  } finally {
    await maker.close()
  }
}

async function measured(what: string, draw: () => string, maker: PictureMaker, limitMs: number): Promise<Line> {
  await maker.png(draw())
  const drawn: Taken[] = []
  const made: Taken[] = []
  for (let round = 0; round < ROUNDS; round++) {
    drawn.push(await taken(async () => draw()))
    made.push(await taken(() => maker.png(draw())))
  }
  const middle = (all: readonly Taken[], of: keyof Taken) => median(all.map((one) => one[of]))
  const processorMs = middle(made, 'processorMs')
  return {
    what,
    figure:
      `${processorMs.toFixed(0)} ms of processor, ${middle(made, 'wallMs').toFixed(0)} ms by the clock, ` +
      `the SVG ${middle(drawn, 'processorMs').toFixed(1)} ms`,
    beside: `${limitMs} ms`,
    ratio: limitMs / processorMs,
    floor: 1
  }
}

async function taken(work: () => Promise<unknown>): Promise<Taken> {
  const [before, startedMs] = [process.cpuUsage(), performance.now()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wallMs: performance.now() - startedMs, processorMs: (user + system) / 1000 }
}
