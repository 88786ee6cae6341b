import { hash } from 'node:crypto'
import { type Clock, toIso } from '../../../engines/clock.ts'
import { Problem } from '../../../errors.ts'
import type { Content, Panel, TimeRange } from '../model/schema.ts'
import type { Shown } from '../shown.ts'
import { type Failure, failureOf } from './failure.ts'
import { Kept, type KeptAnswer } from './kept.ts'
import { type Question, questionOf, variablesOf } from './question.ts'
import type { Reader, Reading } from './reader.ts'
import { masksOf } from './rights.ts'
import { DEFAULT_MAX_POINTS, MAX_ROWS, type PanelData, type PanelDataRequest } from './schema.ts'
import { spanOf } from './time-span.ts'
import { inTurns } from './turns.ts'
import { chosenIn, type ResolvedVariable, requireReadable, type Variables } from './variables.ts'
import type { Viewer } from './viewer.ts'
import { type Waiting, WaitingRoom } from './waiting.ts'

/** Answers that are kept take at most so much memory. */
const KEPT_BYTES = 64 * 1024 * 1024
/** Panels that are read at once for one viewer; those that take longer than a second let the next ones begin. */
const TURNS = { atOnce: 4, atMost: 8 }
const TURN_MS = 1000
const MAX_REPEATS = 100
/** Of all panels of one answer. */
const MAX_BYTES = 32 * 1024 * 1024
const TOO_LARGE: Failure = {
  code: 'too_large',
  detail: `The panels before have ${MAX_BYTES / 1024 / 1024} MiB together: ask for fewer panels at once, or let their SQL choose fewer columns and rows.`
}

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
  readonly outcome:
    | { readonly answer: KeptAnswer<KeptReading> }
    | { readonly failure: Failure }
    /** It is still being read, since when: whoever comes back finds it. */
    | { readonly pendingSinceMs: number }
}

/** What a viewer asks for; with `waitMs`, what takes longer is answered as pending. */
type Asked = PanelDataRequest & { readonly waitMs?: number | undefined }

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
  readonly #room: WaitingRoom

  constructor(needs: Needs) {
    this.#needs = needs
    this.#room = new WaitingRoom(needs.clock)
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
    request: Asked,
    ids: readonly string[] | undefined,
    signal: AbortSignal
  ): Promise<PanelAnswer[]> {
    const panels = ids?.map((id) => content.panels.find((panel) => panel.id === id)) ?? content.panels
    if (panels.includes(undefined)) throw new Problem('not_found', { detail: 'The dashboard has no such panel.' })
    const { from = content.timeRange.from, to = content.timeRange.to, maxPoints = DEFAULT_MAX_POINTS } = request
    const range = { from, to }
    spanOf(range, this.#needs.clock.now())
    const waiting = this.#room.enter(signal, request.waitMs)
    let places: Place[] = (panels as Panel[]).map((panel) => ({ panel, repeatValue: null }))
    await waiting.forAnswer(async () => {
      const given = request.variables ?? {}
      const wanted = { content, given, range, signal: waiting.signal, waiting }
      const resolved = await this.#needs.variables.resolve(viewer, wanted)
      places = (panels as Panel[]).flatMap((panel) => placesOf(panel, resolved))
      const setting = { content, resolved, range, maxPoints }
      await inTurns(places, TURNS, (place, pass) => this.#readPlace(viewer, place, setting, waiting, pass))
    })
    let bytes = 0
    return places.map(({ panel, repeatValue, outcome, key }) => {
      if (outcome !== undefined && 'answer' in outcome) {
        bytes += outcome.answer.value.text.length
        if (bytes > MAX_BYTES) return { panelId: panel.id, repeatValue, outcome: { failure: TOO_LARGE } }
      }
      const sinceMs = key === undefined ? undefined : this.#kept.readingSince(key)
      const pending = { pendingSinceMs: sinceMs ?? waiting.sinceMs }
      return { panelId: panel.id, repeatValue, outcome: outcome ?? pending }
    })
  }

  async #readPlace(viewer: Viewer, place: Place, setting: PlaceSetting, waiting: Waiting, pass: () => void) {
    const { content, resolved, range, maxPoints } = setting
    const { panel, repeatValue } = place
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
      place.outcome = {
        answer: await this.#answer(viewer, question, (refreshSeconds ?? 0) * 1000, place, waiting, pass)
      }
    } catch (error) {
      waiting.signal.throwIfAborted()
      place.outcome = { failure: failureOf(error, this.#needs.log, panel.query) }
    }
  }

  /** What the viewer may see is part of what is asked, and is asked anew each time: nobody gets what only others may see. */
  async #answer(
    viewer: Viewer,
    question: Question,
    keepMs: number,
    place: Place,
    waiting: Waiting,
    pass: () => void
  ): Promise<KeptAnswer<KeptReading>> {
    const masks = await masksOf(viewer, question)
    const maxRows = Math.min(viewer.maxRows ?? MAX_ROWS, MAX_ROWS)
    const key = hash('sha256', JSON.stringify([question, [...masks], maxRows]), 'base64')
    place.key = key
    // What is being read already costs nothing more.
    if (this.#kept.readingSince(key) !== undefined) pass()
    const answer = await this.#kept.ask(key, keepMs, waiting, async (reading) => {
      const cancel = this.#needs.clock.after(TURN_MS, pass)
      try {
        return keptOf(await this.#needs.reader.read(question, { masks, maxRows }, reading))
      } finally {
        cancel()
      }
    })
    const { tags } = answer.value
    if (question.kind === 'points' && tags.length > 0) await viewer.requireTags(question.sourceId, tags)
    return answer
  }

  /** An answer as JSON, in pieces. */
  piecesOf({ panelId, repeatValue, outcome }: PanelAnswer): readonly Buffer[] {
    const nowMs = this.#needs.clock.now()
    const readAtMs = 'answer' in outcome ? outcome.answer.readAtMs : nowMs
    const same = 'answer' in outcome ? outcome.answer.value.text : Buffer.from(emptyText(outcome))
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
  'answer' in outcome ? outcome.answer.value.digest : emptyText(outcome)

export const isPending = ({ outcome }: PanelAnswer): boolean => 'pendingSinceMs' in outcome

function keptOf({ tags, frames, ...rest }: Reading): KeptReading {
  const text = JSON.stringify(frames)
  const { from, to, ...state } = rest
  const more = JSON.stringify({ status: 'ok', error: null, from, to, ...state })
  const digest = hash('sha256', `${JSON.stringify(state)}${text}`, 'base64')
  return { text: Buffer.from(`${more.slice(1, -1)},"frames":${text}`), digest, tags }
}

/** Where there are no data: why. */
function emptyText(outcome: Exclude<PanelAnswer['outcome'], { answer: unknown }>): string {
  const state =
    'failure' in outcome
      ? { status: 'error', error: outcome.failure }
      : { status: 'pending', pendingSince: toIso(outcome.pendingSinceMs), error: null }
  const nothing = { from: null, to: null, frames: [], reduced: null, truncated: false, masked: [] }
  return JSON.stringify({ ...state, ...nothing }).slice(1, -1)
}

/** What is the same for all panels of one request. */
interface PlaceSetting {
  readonly content: Content
  readonly resolved: readonly ResolvedVariable[]
  readonly range: TimeRange
  readonly maxPoints: number
}

interface Place {
  readonly panel: Panel
  readonly repeatValue: string | null
  /** Of what is asked for it, once that is known. */
  key?: string
  outcome?: PanelAnswer['outcome']
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
