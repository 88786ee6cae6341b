import { drawDashboard, drawPanel, PictureMaker } from '../../src/engines/pictures/index.ts'
import { DASHBOARD, EXAMPLES } from '../../src/engines/pictures/testing/examples.ts'
import { OPTION_EXAMPLES } from '../../src/engines/pictures/testing/option-examples.ts'
import type { Line } from '../support/lines.ts'
import { median } from '../support/servers.ts'

const ROUNDS = 11
/** What pictures have unless something else is asked for. */
const PANEL_SIZE = { width: 800, height: 400 }
const DASHBOARD_SIZE = { width: 1200 }
const [PANEL_LIMIT_MS, DASHBOARD_LIMIT_MS] = [150, 600]

interface Taken {
  readonly wallMs: number
  /** Of all threads together. */
  readonly processorMs: number
}

/**
 * What it takes to draw each type of panel, and a dashboard, and to make a PNG of it; the first, which starts the thread, is
 * left out. The limits are held against the processor time and against the time by the clock, which depends on what else runs.
 */
export async function measurePictures(): Promise<Line[]> {
  const maker = new PictureMaker()
  try {
    const lines: Line[] = []
    for (const { name, panel } of [...EXAMPLES, ...OPTION_EXAMPLES]) {
      const draw = () => drawPanel(panel, PANEL_SIZE, 'light')
      lines.push(...(await measured(`PNG of a panel: ${name}`, draw, maker, PANEL_LIMIT_MS)))
    }
    const draw = () => drawDashboard(DASHBOARD.panels, DASHBOARD.title, DASHBOARD_SIZE, 'light')
    const what = `PNG of a dashboard with ${DASHBOARD.panels.length} panels`
    return [...lines, ...(await measured(what, draw, maker, DASHBOARD_LIMIT_MS))]
  } finally {
    await maker.close()
  }
}

async function measured(what: string, draw: () => string, maker: PictureMaker, limitMs: number): Promise<Line[]> {
  await maker.png(draw())
  const drawn: Taken[] = []
  const made: Taken[] = []
  for (let round = 0; round < ROUNDS; round++) {
    drawn.push(await taken(async () => draw()))
    made.push(await taken(() => maker.png(draw())))
  }
  const middle = (all: readonly Taken[], of: keyof Taken) => median(all.map((one) => one[of]))
  const line = (by: string, of: keyof Taken): Line => ({
    what: `${what}, ${by}`,
    figure: `${middle(made, of).toFixed(0)} ms, the SVG ${middle(drawn, of).toFixed(1)} ms`,
    beside: `${limitMs} ms`,
    ratio: limitMs / middle(made, of),
    floor: 1
  })
  return [line('of processor', 'processorMs'), line('by the clock', 'wallMs')]
}

async function taken(work: () => Promise<unknown>): Promise<Taken> {
  const [before, startedMs] = [process.cpuUsage(), performance.now()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wallMs: performance.now() - startedMs, processorMs: (user + system) / 1000 }
}
