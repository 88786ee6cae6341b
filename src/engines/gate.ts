interface Place {
  inside: number
  readonly waiting: (() => void)[]
}

/** Lets so many at once in at each place; the others wait in the order in which they came. */
export class Gate {
  readonly #atOnce: number
  /** Where somebody is. */
  readonly #places = new Map<string, Place>()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Answers the way out, to be taken once. Rejects as the signal does, when that aborts while one waits. */
  async enter(name: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    let place = this.#places.get(name)
    if (place === undefined) {
      place = { inside: 0, waiting: [] }
      this.#places.set(name, place)
    }
    if (place.inside < this.#atOnce) place.inside++
    else await turnAt(place, signal)
    return () => this.#leave(name, place)
  }

  #leave(name: string, place: Place): void {
    const next = place.waiting.shift()
    if (next !== undefined) next()
    else if (--place.inside === 0) this.#places.delete(name)
  }
}

/** Resolves when somebody has left, whose room is then that of this one. */
function turnAt({ waiting }: Place, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      waiting.splice(waiting.indexOf(enter), 1)
      reject(signal.reason)
    }
    waiting.push(enter)
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
