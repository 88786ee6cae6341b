import { hash } from 'node:crypto'
import { type Clock, toIso } from '../../../engines/clock.ts'
import { Problem } from '../../../errors.ts'
import type { Panel } from '../model/schema.ts'
import type { Shown } from '../shown.ts'
import { type Failure, failureOf } from './failure.ts'
import { Kept, type KeptAnswer } from './kept.ts'
import { type Question, questionOf, variablesOf } from './question.ts'
import type { Reader, Reading } from './reader.ts'
import { masksOf } from './rights.ts'
import { DEFAULT_MAX_POINTS, MAX_ROWS, type PanelData, type PanelDataRequest } from './schema.ts'
import { spanOf } from './time-span.ts'
import { chosenIn, type ResolvedVariable, requireReadable, type Variables } from './variables.ts'
import type { Viewer } from './viewer.ts'

/** Answers that are kept take at most so much memory. */
const KEPT_BYTES = 64 * 1024 * 1024
const PANELS_AT_ONCE = 4
const MAX_REPEATS = 100

/** A reading as it is kept: as JSON, for it is sent far more often than looked into. */
interface KeptReading {
  /** The members of `PanelData` that are the same for all who get it, without braces. */
  readonly text: Buffer
  /** Tells whether the data have changed. */
  readonly digest: string
  readonly tags: readonly string[]
}

/** What there is to show in one place of a dashboard. */
export interface PanelAnswer {
  readonly panelId: string
  readonly repeatValue: string | null
  readonly outcome: { readonly answer: KeptAnswer<KeptReading> } | { readonly failure: Failure }
}

interface Needs {
  readonly clock: Clock
  readonly log: { error(facts: object, message: string): void }
  readonly reader: Pick<Reader, 'read'>
  readonly variables: Variables
}

/** Reads panels for those who look at them: once for all who ask the same at the same time. */
export class Panels {
  readonly #needs: Needs
  readonly #kept: Kept<KeptReading>

  constructor(needs: Needs) {
    this.#needs = needs
    this.#kept = new Kept({
      clock: needs.clock,
      maxBytes: KEPT_BYTES,
      sizeOf: ({ text, tags }) => text.length + tags.length * 100 + 500
    })
  }

  /** The panels of a dashboard, all where none are named; what is wrong with one of them is told at its place. */
  async read(
    viewer: Viewer,
    { content }: Shown,
    request: PanelDataRequest,
    ids: readonly string[] | undefined,
    signal: AbortSignal
  ): Promise<PanelAnswer[]> {
    const panels = ids?.map((id) => content.panels.find((panel) => panel.id === id)) ?? content.panels
    if (panels.includes(undefined)) throw new Problem('not_found', { detail: 'The dashboard has no such panel.' })
    const { from = content.timeRange.from, to = content.timeRange.to, maxPoints = DEFAULT_MAX_POINTS } = request
    const range = { from, to }
    spanOf(range, this.#needs.clock.now())
    const given = request.variables ?? {}
    const resolved = await this.#needs.variables.resolve(viewer, { content, given, range, signal })
    const places = (panels as Panel[]).flatMap((panel) => placesOf(panel, resolved))
    return inTurns(places, PANELS_AT_ONCE, async ({ panel, repeatValue }) => {
      const place = { panelId: panel.id, repeatValue }
      try {
        requireReadable(
          variablesOf(panel)
            .map((name) => `$${name}`)
            .join(),
          resolved
        )
        const question = questionOf(panel, {
          variables: content.variables,
          chosen: chosenFor(panel, repeatValue, resolved),
          range: panel.timeRange ?? range,
          timeZone: content.timeZone,
          maxPoints
        })
        const { refreshSeconds = content.refreshSeconds } = panel
        const answer = await this.#answer(viewer, question, (refreshSeconds ?? 0) * 1000, signal)
        return { ...place, outcome: { answer } }
      } catch (error) {
        signal.throwIfAborted()
        return { ...place, outcome: { failure: failureOf(error, this.#needs.log) } }
      }
    })
  }

  /** What the viewer may see is part of what is asked, and is asked anew each time: nobody gets what only others may see. */
  async #answer(viewer: Viewer, question: Question, keepMs: number, signal: AbortSignal) {
    const masks = await masksOf(viewer, question)
    const maxRows = Math.min(viewer.maxRows ?? MAX_ROWS, MAX_ROWS)
    const key = hash('sha256', JSON.stringify([question, [...masks], maxRows]), 'base64')
    const answer = await this.#kept.ask(key, keepMs, signal, async (reading) =>
      keptOf(await this.#needs.reader.read(question, { masks, maxRows }, reading))
    )
    const { tags } = answer.value
    if (question.kind === 'points' && tags.length > 0) await viewer.requireTags(question.sourceId, tags)
    return answer
  }

  /** An answer as JSON, in pieces. */
  piecesOf({ panelId, repeatValue, outcome }: PanelAnswer): readonly Buffer[] {
    const nowMs = this.#needs.clock.now()
    const readAtMs = 'answer' in outcome ? outcome.answer.readAtMs : nowMs
    const same = 'answer' in outcome ? outcome.answer.value.text : Buffer.from(failureText(outcome.failure))
    const own = { panelId, repeatValue, readAt: toIso(readAtMs), ageMs: Math.max(0, nowMs - readAtMs) }
    return [Buffer.from(`${JSON.stringify(own).slice(0, -1)},`), same, END]
  }

  dataOf(answer: PanelAnswer): PanelData {
    return JSON.parse(Buffer.concat(this.piecesOf(answer)).toString()) as PanelData
  }
}

const END = Buffer.from('}')

/** Differs where what is shown does. */
export const digestOf = ({ outcome }: PanelAnswer): string =>
  'answer' in outcome ? outcome.answer.value.digest : failureText(outcome.failure)

function keptOf({ tags, frames, ...rest }: Reading): KeptReading {
  const text = JSON.stringify(frames)
  const { from, to, ...state } = rest
  const more = JSON.stringify({ status: 'ok', error: null, from, to, ...state })
  const digest = hash('sha256', `${JSON.stringify(state)}${text}`, 'base64')
  return { text: Buffer.from(`${more.slice(1, -1)},"frames":${text}`), digest, tags }
}

function failureText(error: Failure): string {
  const nothing = { from: null, to: null, frames: [], reduced: null, truncated: false, masked: [] }
  return JSON.stringify({ status: 'error', error, ...nothing }).slice(1, -1)
}

interface Place {
  readonly panel: Panel
  readonly repeatValue: string | null
}

/** Where a panel is drawn: once, or once for each value of the variable that it is repeated by. */
function placesOf(panel: Panel, resolved: readonly ResolvedVariable[]): Place[] {
  const variable = resolved.find(({ name }) => name === panel.repeat?.variable)
  if (variable === undefined || variable.error !== null) return [{ panel, repeatValue: null }]
  return variable.chosen.slice(0, MAX_REPEATS).map((repeatValue) => ({ panel, repeatValue }))
}

function chosenFor({ repeat }: Panel, repeatValue: string | null, resolved: readonly ResolvedVariable[]) {
  const chosen = chosenIn(resolved)
  if (repeat === undefined || repeatValue === null) return chosen
  return new Map([...chosen, [repeat.variable, [repeatValue]]])
}

/** So many at a time; the answers in the order of the items. */
async function inTurns<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length)
  const left = items.entries()
  const take = async () => {
    for (const [at, item] of left) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, take))
  return results
}
