import { NodeFault } from '../contract/context.ts'

type TrialKind = 'check' | 'preview'

/** Processes for checks and previews. Each has one question at a time, so that ending it over one harms no other. */
const MAX_AT_ONCE = 3
/** Processes that previews may take. One is left for checks, without which no pipeline can be made. */
const MAX_PREVIEWS = 2
const MAX_WAITING = 100
/** Questions of one caller that may wait behind the one under way. Checks take milliseconds, and some make many pipelines at once. */
const MAX_WAITING_EACH: Readonly<Record<TrialKind, number>> = { check: 50, preview: 4 }

interface Place {
  readonly kind: TrialKind
  readonly caller: string
}

/** Who may have a process for trials, in the order in which they came; each caller has one for each kind of question at most. */
export class TrialPlaces {
  readonly #running: Place[] = []
  /** In the order in which they came, each with what tells it to go. */
  readonly #waiting = new Map<Place, () => void>()

  /** Answers when it is its turn, and how to leave. Rejects at once where too many wait, and when the signal is aborted. */
  async enter(kind: TrialKind, caller: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const own = { kind, caller }
    if (this.#isFree(own)) this.#running.push(own)
    else await this.#wait(own, signal)
    return () => {
      this.#running.splice(this.#running.indexOf(own), 1)
      this.#next()
    }
  }

  #wait(own: Place, signal: AbortSignal): Promise<void> {
    const isOwn = ({ kind, caller }: Place) => kind === own.kind && caller === own.caller
    const isTooMany = [...this.#waiting.keys()].filter(isOwn).length >= MAX_WAITING_EACH[own.kind]
    if (isTooMany || this.#waiting.size >= MAX_WAITING) throw busy()
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(own)
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.#waiting.set(own, () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      })
    })
  }

  /** A place that becomes free may be for one only, or for several that waited for different reasons. */
  #next(): void {
    for (const [own, go] of this.#waiting) {
      if (!this.#isFree(own)) continue
      this.#waiting.delete(own)
      this.#running.push(own)
      go()
    }
  }

  #isFree({ kind, caller }: Place): boolean {
    const previews = this.#running.filter((one) => one.kind === 'preview').length
    if (this.#running.length >= MAX_AT_ONCE || (kind === 'preview' && previews >= MAX_PREVIEWS)) return false
    return !this.#running.some((one) => one.kind === kind && one.caller === caller)
  }
}

export const busy = () => new NodeFault('transient', 'busy', 'Many checks and previews are asked for at once')
