import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { Guard } from '../../classification/index.ts'
import type { PanelReader } from '../data/reading.ts'
import { type DashboardDataRequest, DEFAULT_WAIT_MS, type PanelData } from '../data/schema.ts'
import { chosenIn, type Variables } from '../data/variables.ts'
import { Problem } from '../errors.ts'
import type { Drawn } from '../images/drawing.ts'
import { addressClass } from './address-class.ts'
import type { Opened, ShareDoor } from './opening.ts'
import type { SharedDashboard } from './schema.ts'
import * as store from './store.ts'
import { toShared } from './view.ts'
import { requireShown, shareViewer } from './viewer.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly door: ShareDoor
  readonly reader: PanelReader
  readonly variables: Variables
  guard(): Promise<Pick<Guard, 'isAbove' | 'requireAll'>>
}

/** What whoever has a link gets to see. */
export class Showing {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** The dashboard itself; counts as a view. */
  async dashboard(token: string, pass: string | undefined, ip: string): Promise<SharedDashboard> {
    const opened = await this.#needs.door.open(token, pass)
    await this.noteView(opened, ip)
    return toShared(opened.content, opened.row, opened.snapshot)
  }

  async data(
    token: string,
    pass: string | undefined,
    request: DashboardDataRequest,
    signal: AbortSignal
  ): Promise<PanelData[]> {
    const opened = await this.#needs.door.open(token, pass)
    return this.read(opened, { waitMs: DEFAULT_WAIT_MS, ...request }, signal)
  }

  async read(opened: Opened, request: DashboardDataRequest, signal: AbortSignal): Promise<PanelData[]> {
    const { row, maker, content, version, snapshot } = opened
    const guard = await this.#needs.guard()
    const fixed = JSON.parse(row.variables) as NonNullable<DashboardDataRequest['variables']>
    requireChoice(opened, request, fixed)
    if (snapshot !== undefined) {
      await requireShown(row, maker, guard, JSON.parse(snapshot.reads))
      return frozen(JSON.parse(snapshot.data), request, row.max_rows)
    }
    const variables = { ...request.variables, ...fixed }
    const shown = { id: row.dashboard_id, version, content }
    try {
      const viewer = shareViewer(row, maker, guard)
      const answers = await this.#needs.reader.readAll(shown, { ...request, variables }, viewer, signal)
      return answers.map(withoutWhy)
    } catch (error) {
      throw forViewers(error, fixed)
    }
  }

  /** Everything that a picture of it needs. */
  async drawn(opened: Opened, signal: AbortSignal): Promise<Drawn> {
    const { row, maker, content, snapshot } = opened
    const answers = await this.read(opened, {}, signal)
    const plain = { content, answers, chosen: new Map(), annotations: [] }
    if (snapshot !== undefined) return plain
    const viewer = shareViewer(row, maker, await this.#needs.guard())
    const wanted = { content, given: JSON.parse(row.variables), range: content.timeRange, signal }
    return { ...plain, chosen: chosenIn(await this.#needs.variables.resolve(viewer, wanted)) }
  }

  open(token: string, pass: string | undefined): Promise<Opened> {
    return this.#needs.door.open(token, pass)
  }

  async noteView({ row }: Opened, ip: string): Promise<void> {
    const { metadata, clock } = this.#needs
    const view = { share_id: row.id, viewed_at: clock.iso(), address_class: addressClass(ip) }
    await metadata.transaction((tx) => store.noteView(tx, view))
  }
}

/** Refuses to let viewers choose what the link fixes. */
function requireChoice(
  { row, snapshot }: Opened,
  { variables = {}, from, to }: DashboardDataRequest,
  fixed: Readonly<Record<string, unknown>>
): void {
  const chosen = Object.entries(variables)
  const changed = chosen.find(
    ([name, value]) => snapshot !== undefined || (Object.hasOwn(fixed, name) && !isSame(fixed[name], value))
  )
  if (changed !== undefined) {
    throw new Problem('share_variable_fixed', { detail: `The link fixes the variable ${changed[0]}: leave it out.` })
  }
  if ((from !== undefined || to !== undefined) && (snapshot !== undefined || row.choose_time === 0)) {
    throw new Problem('share_variable_fixed', { detail: 'The link fixes the time: leave out from and to.' })
  }
}

/** Where the dashboard has lost what the link fixes, viewers can’t mend it, and have sent nothing of what it is about. */
function forViewers(error: unknown, fixed: Readonly<Record<string, unknown>>): unknown {
  if (!(error instanceof Problem)) return error
  const lost = Object.keys(fixed).find((name) => error.errors?.some(({ pointer }) => pointer === `/variables/${name}`))
  if (lost === undefined) return error
  const detail = `The link fixes the variable ${lost} to what the dashboard no longer has. Ask whoever sent it for another one.`
  return new Problem('unprocessable', { detail, cause: error })
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify([one].flat()) === JSON.stringify([other].flat())

/** The kept answers that are asked for. */
function frozen(data: readonly PanelData[], { panels }: DashboardDataRequest, maxRows: number): PanelData[] {
  const wanted = panels === undefined ? data : data.filter(({ panelId }) => panels.includes(panelId))
  return wanted.map((answer) => ({
    ...answer,
    frames: answer.frames.map((frame) => ({ ...frame, values: frame.values.map((column) => column.slice(0, maxRows)) }))
  }))
}

/** Errors of queries name tables, columns and servers: that one failed is all that a viewer with a link gets to know. */
function withoutWhy(answer: PanelData): PanelData {
  if (answer.error === null) return answer
  const isOurs = answer.error.code.startsWith('share_')
  return {
    ...answer,
    error: isOurs ? answer.error : { code: answer.error.code, detail: 'The data of this panel can’t be read now.' }
  }
}
