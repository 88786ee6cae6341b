import type { Clock } from '../../../engines/clock.ts'
import { Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Context } from '../../../http/route.ts'
import type { ServerEvent } from '../../../http/server-sent-events.ts'
import type { Guard } from '../../classification/index.ts'
import { viewerOf } from '../data/actor-viewer.ts'
import { digestOf, isPending, type PanelAnswer, type Panels } from '../data/panels.ts'
import type { PanelDataRequest } from '../data/schema.ts'
import type { Shown } from '../shown.ts'

/** How often it is looked whether the dashboard is still the same, where no panel is due before. */
const LOOK_EVERY_MS = 5000
/** What is there after so long is sent before the rest, which is asked for again. */
const ROUND_MS = 1000

interface Needs {
  readonly clock: Clock
  readonly panels: Pick<Panels, 'read' | 'dataOf'>
  shown(actor: Actor, id: string): Promise<Shown>
  guard(): Promise<Pick<Guard, 'masksFor' | 'requireTags'>>
}

export interface Followed {
  readonly id: string
  /** All where none are named. */
  readonly panels: readonly string[] | undefined
  readonly request: PanelDataRequest
}

/** Who follows, and who that is now. */
export type Follower = Pick<Context<unknown, unknown, unknown>, 'ip' | 'headers' | 'id' | 'callerNow'>

/** Dashboards as they change. */
export class Live {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Refuses what can’t be followed before anything is answered. */
  async require(actor: Actor, { id, panels = [] }: Followed): Promise<void> {
    const { content } = await this.#needs.shown(actor, id)
    const missing = panels.find((panelId) => !content.panels.some((panel) => panel.id === panelId))
    if (missing !== undefined) throw new Problem('not_found', { detail: `The dashboard has no panel ${missing}.` })
  }

  /**
   * First the data of every panel, those first that are there, then of those whose data have changed, each as often as its refresh
   * says. Ends when the dashboard is another one, is gone, or may not be seen any more. Who follows is asked in every round: nobody
   * goes on seeing what they no longer may.
   */
  async *follow(follower: Follower, followed: Followed, signal: AbortSignal): AsyncGenerator<ServerEvent> {
    const { clock, panels } = this.#needs
    const { ip, headers, id } = follower
    const sent = new Map<string, string>()
    const dueMs = new Map<string, number>()
    let version: number | undefined
    let before: AbortController | undefined
    while (!signal.aborted) {
      const asker = { actor: await follower.callerNow(), ip, headers, id }
      const viewer = viewerOf(asker, await this.#needs.guard())
      const shown = await this.#look(asker.actor, followed.id)
      if (shown === undefined) return yield { event: 'gone', data: { id: followed.id } }
      version ??= shown.version
      if (shown.version !== version) {
        return yield { event: 'changed', data: { id: followed.id, version: shown.version } }
      }
      const nowMs = clock.elapsed()
      const due = this.#panelsOf(shown, followed).filter((id) => (dueMs.get(id) ?? 0) <= nowMs)
      for (const id of due) dueMs.set(id, nowMs + refreshMsOf(shown, id))
      const round = new AbortController()
      const answers = await this.#read(viewer, shown, followed, due, AbortSignal.any([signal, round.signal]))
      // What is still being read has this round to wait for it by now.
      before?.abort()
      before = round
      for (const answer of answers) {
        const place = JSON.stringify([answer.panelId, answer.repeatValue])
        const digest = digestOf(answer)
        if (isPending(answer)) {
          dueMs.set(answer.panelId, nowMs)
          // Only in place of nothing.
          if (sent.has(place)) continue
        }
        if (sent.get(place) === digest) continue
        sent.set(place, digest)
        yield { event: 'panel', data: panels.dataOf(answer) }
      }
      await pause(clock, Math.min(LOOK_EVERY_MS, ...[...dueMs.values()].map((ms) => ms - clock.elapsed())), signal)
    }
  }

  #panelsOf({ content }: Shown, { panels }: Followed): readonly string[] {
    return panels ?? content.panels.map(({ id }) => id)
  }

  /** Undefined where it is gone, or may not be seen. */
  async #look(actor: Actor, id: string): Promise<Shown | undefined> {
    try {
      return await this.#needs.shown(actor, id)
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return undefined
      throw error
    }
  }

  /** What can’t be chosen any more is told at every panel: the reader can’t be answered otherwise. */
  async #read(
    viewer: ReturnType<typeof viewerOf>,
    shown: Shown,
    { request }: Followed,
    due: readonly string[],
    signal: AbortSignal
  ): Promise<readonly PanelAnswer[]> {
    if (due.length === 0) return []
    try {
      return await this.#needs.panels.read(viewer, shown, { ...request, waitMs: ROUND_MS }, due, signal)
    } catch (error) {
      if (signal.aborted) return []
      if (!(error instanceof Problem)) throw error
      const { code, errors } = error
      const detail = errors?.map(({ pointer, message }) => `${pointer} ${message}`).join('; ') ?? error.detail
      return due.map((panelId) => ({ panelId, repeatValue: null, outcome: { failure: { code, detail } } }))
    }
  }
}

/** What nobody wants to be refreshed is sent once. */
function refreshMsOf({ content }: Shown, id: string): number {
  const panel = content.panels.find((one) => one.id === id)
  const seconds = panel?.refreshSeconds === undefined ? content.refreshSeconds : panel.refreshSeconds
  return seconds === null ? Number.POSITIVE_INFINITY : Math.max(1, seconds) * 1000
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<void>()
  const cancel = clock.after(Math.max(0, ms), over.resolve)
  signal.addEventListener('abort', () => over.resolve(), { once: true })
  if (!signal.aborted) await over.promise
  cancel()
}
