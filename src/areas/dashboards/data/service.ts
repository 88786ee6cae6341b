import type { IncomingMessage } from 'node:http'
import { Problem } from '../../../errors.ts'
import { watchCaller } from '../../../http/caller.ts'
import type { Actor } from '../../../http/permissions.ts'
import { BytesAnswer } from '../../../http/route.ts'
import type { Asker, Guard } from '../../classification/index.ts'
import { panelFaults } from '../model/check.ts'
import type { Shown } from '../shown.ts'
import { viewerOf } from './actor-viewer.ts'
import type { PanelAnswer, Panels } from './panels.ts'
import {
  type DashboardDataRequest,
  DEFAULT_WAIT_MS,
  type PanelDataRequest,
  type PreviewRequest,
  type VariablesRequest
} from './schema.ts'
import { MAX_OPTIONS, type Variables } from './variables.ts'
import type { Viewer } from './viewer.ts'

interface Needs {
  readonly panels: Panels
  readonly variables: Variables
  /** What an actor may see of a dashboard; throws `not_found`. */
  shown(actor: Actor, id: string): Promise<Shown>
  guard(): Promise<Pick<Guard, 'masksFor' | 'requireTags'>>
}

/** Who asks, and on which connection. */
export type DataAsker = Asker & { readonly raw: IncomingMessage }

const BEGIN = Buffer.from('{"panels":[')
const COMMA = Buffer.from(',')
const END = Buffer.from(']}')
const DEFAULT_RANGE = { from: '-6h', to: 'now' }

/** The data of panels, for those who ask with a role or an API key. */
export class DashboardData {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** One panel, however long it takes. */
  async panel(asker: DataAsker, id: string, request: PanelDataRequest, panelId: string) {
    const shown = await this.#needs.shown(asker.actor, id)
    return this.#answer(asker, (viewer, signal) => this.#needs.panels.read(viewer, shown, request, [panelId], signal))
  }

  /** Several panels, all where none are named: those that take longer than the caller waits do not hold up the others. */
  async panels(asker: DataAsker, id: string, { panels: ids, ...request }: DashboardDataRequest) {
    const shown = await this.#needs.shown(asker.actor, id)
    const asked = { waitMs: DEFAULT_WAIT_MS, ...request }
    return this.#answer(asker, (viewer, signal) => this.#needs.panels.read(viewer, shown, asked, ids, signal))
  }

  /** A panel that nobody has kept yet. */
  async preview(asker: DataAsker, { panel, definitions = [], timeZone = 'UTC', ...request }: PreviewRequest) {
    const errors = panelFaults(panel, definitions, '/panel')
    if (errors.length > 0) throw new Problem('invalid_request', { errors })
    const content = {
      ...{ name: '', description: '', folder: '', tags: [], links: [], refreshSeconds: null },
      ...{ panels: [panel], variables: definitions, timeRange: DEFAULT_RANGE, timeZone }
    }
    const shown = { id: '', version: 0, content }
    return this.#answer(asker, (viewer, signal) => this.#needs.panels.read(viewer, shown, request, undefined, signal))
  }

  async choices(asker: DataAsker, id: string, { variables = {}, from, to }: VariablesRequest) {
    const { content } = await this.#needs.shown(asker.actor, id)
    const range = { from: from ?? content.timeRange.from, to: to ?? content.timeRange.to }
    const resolved = await this.#during(asker, (viewer, signal) =>
      this.#needs.variables.resolve(viewer, { content, given: variables, range, signal })
    )
    return {
      variables: resolved.map(({ options, chosen, truncated, ...variable }) => ({
        ...variable,
        chosen: [...chosen],
        options: options.slice(0, MAX_OPTIONS),
        truncated: truncated || options.length > MAX_OPTIONS
      }))
    }
  }

  /** As bytes: what is kept is text, and making it again for each of a thousand viewers would take longer than all else. */
  async #answer(asker: DataAsker, read: (viewer: Viewer, signal: AbortSignal) => Promise<PanelAnswer[]>) {
    const answers = await this.#during(asker, read)
    const pieces = answers.flatMap((answer, at) => [at === 0 ? BEGIN : COMMA, ...this.#needs.panels.piecesOf(answer)])
    const body = Buffer.concat([...(pieces.length === 0 ? [BEGIN] : pieces), END])
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': String(body.length) }
    return new BytesAnswer(200, { ...headers, 'cache-control': 'no-store' }, body)
  }

  async #during<T>(asker: DataAsker, read: (viewer: Viewer, signal: AbortSignal) => Promise<T>): Promise<T> {
    const viewer = viewerOf(asker, await this.#needs.guard())
    const caller = watchCaller(asker.raw)
    try {
      return await read(viewer, caller.signal)
    } finally {
      caller.release()
    }
  }
}
