import type { Annotation } from '../../../engines/pictures/index.ts'
import { Problem } from '../../../errors.ts'
import { watchCaller } from '../../../http/caller.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { BytesAnswer } from '../../../http/route.ts'
import type { Guard } from '../../classification/index.ts'
import type { Annotations } from '../annotations/service.ts'
import { viewerOf } from '../data/actor-viewer.ts'
import { chosenFromText } from '../data/chosen-text.ts'
import type { PanelReader } from '../data/reading.ts'
import type { ChosenValues } from '../data/schema.ts'
import type { DataAsker } from '../data/service.ts'
import { chosenIn, type Variables } from '../data/variables.ts'
import type { Viewer } from '../data/viewer.ts'
import type { Dashboards } from '../service.ts'
import type { Shown } from '../shown.ts'
import type { Drawing, Drawn, Look } from './drawing.ts'
import type { ImageQuery } from './schema.ts'

interface Needs {
  readonly dashboards: Dashboards
  readonly reader: PanelReader
  readonly variables: Variables
  readonly annotations: Annotations
  readonly drawing: Drawing
  guard(): Promise<Pick<Guard, 'masksFor' | 'requireTags'>>
}

interface Asked extends Pick<ImageQuery, 'from' | 'to'> {
  readonly given: ChosenValues
}

/** Pictures of dashboards and panels. */
export class Images {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async panel(asker: DataAsker, id: string, panelId: string, query: ImageQuery): Promise<BytesAnswer> {
    const asked = askedBy(query)
    const shown = await this.#needs.dashboards.shown(asker.actor, id)
    const panel = shown.content.panels.find((each) => each.id === panelId)
    if (panel === undefined) throw new Problem('not_found')
    const drawn = await this.#read(asker, shown, asked, [panelId])
    return this.#needs.drawing.answer(this.#needs.drawing.panel(drawn, panel, query as Look), query as Look)
  }

  async dashboard(asker: DataAsker, id: string, query: ImageQuery): Promise<BytesAnswer> {
    const asked = askedBy(query)
    const shown = await this.#needs.dashboards.shown(asker.actor, id)
    const drawn = await this.#read(asker, shown, asked, undefined)
    return this.#needs.drawing.answer(this.#needs.drawing.dashboard(drawn, query as Look), query as Look)
  }

  async #read(asker: DataAsker, shown: Shown, asked: Asked, panels: readonly string[] | undefined): Promise<Drawn> {
    const viewer = viewerOf(asker, await this.#needs.guard())
    const caller = watchCaller(asker.raw)
    try {
      const drawn = await this.read(viewer, shown, asked, panels, caller.signal)
      return { ...drawn, annotations: await this.#annotationsOf(asker.actor, shown, drawn) }
    } finally {
      caller.release()
    }
  }

  /** Everything that a picture needs but annotations, which are not for everybody. */
  async read(
    viewer: Viewer,
    shown: Shown,
    { from, to, given }: Asked,
    panels: readonly string[] | undefined,
    signal: AbortSignal
  ): Promise<Drawn> {
    const { content } = shown
    const times = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    const range = { ...content.timeRange, ...times }
    const request = { ...times, variables: given, ...(panels !== undefined && { panels: [...panels] }) }
    const answers = await this.#needs.reader.readAll(shown, request, viewer, signal)
    const resolved = await this.#needs.variables.resolve(viewer, { content, given, range, signal })
    return { content, answers, chosen: chosenIn(resolved), annotations: [] }
  }

  async #annotationsOf(actor: Actor, { id, content }: Shown, { answers }: Drawn): Promise<Annotation[]> {
    const { from, to } = answers.find((answer) => answer.from !== null) ?? {}
    if (from == null || to == null) return []
    const span = { fromMs: Date.parse(from), toMs: Date.parse(to) }
    const found = await this.#needs.annotations.within(actor, id, content, span)
    return found.map((annotation) => ({
      fromMs: Date.parse(annotation.from),
      ...(annotation.to !== null && { toMs: Date.parse(annotation.to) }),
      text: annotation.text,
      kind: annotation.kind
    }))
  }
}

/** What is wrong with what is asked is told before anything is looked for. */
const askedBy = ({ from, to, variables }: ImageQuery): Asked => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  given: chosenFromText(variables) ?? {}
})
